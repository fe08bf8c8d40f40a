import type { Dispatcher, Pool } from "undici";
import type { Config } from "../config/config.ts";
import { proxyFromEnvironment } from "./proxy.ts";
import { timedLookup } from "./timed-lookup.ts";

/** A client certificate that a credential plugin handed out, in place of the configuration's. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/** The open connections to one server: those that requests share, and those that streams hold. */
export interface Connections {
  readonly requests: Dispatcher;
  readonly streams: Dispatcher;
  /** Lets what runs finish. */
  close(): Promise<void>;
  /** Breaks what runs. */
  destroy(error: Error): Promise<void>;
}

// API servers allow as many concurrent streams to one HTTP/2 client.
const MAX_REQUEST_CONNECTIONS = 100;
// API servers drop idle connections after 90 s: this side goes first, so that no write meets a connection that is being closed.
const IDLE = 60_000;
// Probes start after 30 s of silence, one a second, ten of them: a dead peer is noticed after 40 s.
const KEEP_ALIVE_DELAY = 30_000;
const CONNECT_TIMEOUT = 10_000;

/** Opens nothing yet: connections are made when they are needed. The HTTP library is loaded here, not at start-up. */
export async function openConnections(
  config: Config,
  origin: URL,
  certificate?: ClientCertificate,
  onResolved?: (duration: number) => void,
): Promise<Connections> {
  const undici = await import("undici");
  const tls = {
    ca: config.ca,
    cert: certificate?.cert ?? config.cert,
    key: certificate?.key ?? config.key,
    servername: config.tlsServerName,
    rejectUnauthorized: config.insecureSkipTLSVerify !== true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY,
    timeout: CONNECT_TIMEOUT,
    lookup: onResolved && timedLookup(onResolved),
  };
  const options: Pool.Options = { keepAliveTimeout: IDLE, keepAliveMaxTimeout: IDLE };
  const proxy = config.proxyUrl ?? proxyFromEnvironment(origin);
  const open = (connections: number | null): Dispatcher =>
    proxy === undefined
      ? new undici.Pool(origin.origin, { ...options, connect: defined(tls), connections })
      : new undici.ProxyAgent({
          ...options,
          uri: proxy,
          requestTls: defined(tls),
          ...(connections === null ? {} : { connections }),
          proxyTunnel: true,
        });
  const requests = open(MAX_REQUEST_CONNECTIONS);
  const streams = open(null);
  return {
    requests,
    streams,
    async close() {
      await Promise.all([requests.close(), streams.close()]);
    },
    async destroy(error) {
      await Promise.all([requests.destroy(error), streams.destroy(error)]);
    },
  };
}

// The TLS module takes a present key with the value undefined for a wish.
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
