import type { Config } from "../config/config.ts";
import { redactText } from "../log/redact-text.ts";
import { Dialer } from "./http/dial.ts";
import { Pool } from "./http/pool.ts";
import { proxyFromEnvironment } from "./proxy.ts";
import { timedLookup } from "./timed-lookup.ts";

/** A client certificate that a credential plugin handed out, in place of the configuration's. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/** The open connections to one server: those that requests share, and those that streams hold. */
export interface Connections {
  readonly requests: Pool;
  readonly streams: Pool;
  /** Lets what runs finish. */
  close(): void;
  /** Breaks what runs. */
  destroy(error: Error): void;
}

// API servers allow as many concurrent streams to one HTTP/2 client.
const MAX_REQUEST_CONNECTIONS = 100;
// API servers drop idle connections after 90 s: this side goes first, so that no write meets a connection that is being closed.
const IDLE = 60_000;
// Probes start after 30 s of silence, one a second, ten of them: a dead peer is noticed after 40 s.
const KEEP_ALIVE_DELAY = 30_000;
const CONNECT_TIMEOUT = 10_000;
const PROXIES = ["http:", "https:", "socks5:", "socks5h:"];

/** Opens nothing yet: connections are made when they are needed. Throws for keys, certificates and proxies that are none. */
export function openConnections(
  config: Config,
  origin: URL,
  certificate?: ClientCertificate,
  onResolved?: (duration: number) => void,
): Connections {
  const { ca } = config;
  const identity = { ca, cert: certificate?.cert ?? config.cert, key: certificate?.key ?? config.key };
  // Built-in modules too are loaded when they are used: importing the runtime stays light.
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const rejectUnauthorized = config.insecureSkipTLSVerify !== true;
  const tls = {
    // Keys and authorities are read once, not for each connection.
    secureContext: origin.protocol === "https:" ? createSecureContext(identity) : undefined,
    servername: config.tlsServerName,
    rejectUnauthorized,
  };
  const proxy = parseProxy(config.proxyUrl ?? proxyFromEnvironment(origin));
  const proxyTls =
    proxy?.protocol === "https:"
      ? {
          secureContext: createSecureContext({ ...identity, ca: ca && [ca, ...systemAuthorities()] }),
          rejectUnauthorized,
        }
      : undefined;
  const lookup = onResolved && timedLookup(onResolved);
  const dialer = new Dialer({
    origin,
    tls,
    proxy,
    proxyTls,
    lookup,
    timeout: CONNECT_TIMEOUT,
    keepAliveDelay: KEEP_ALIVE_DELAY,
  });
  const open = (size: number, lender?: Pool): Pool => new Pool({ dialer, host: origin.host, size, idle: IDLE, lender });
  const requests = open(MAX_REQUEST_CONNECTIONS);
  // The first watch follows upon the discovery of its kind: a handshake less until there is something to reconcile.
  const streams = open(Number.POSITIVE_INFINITY, requests);
  return {
    requests,
    streams,
    close() {
      requests.close();
      streams.close();
    },
    destroy(error) {
      requests.destroy(error);
      streams.destroy(error);
    },
  };
}

/** A proxy may be the cluster's own or the company's: it is trusted by either. client-go knows the former alone. */
function systemAuthorities(): readonly string[] {
  const tls: { getCACertificates?: (type: string) => string[]; rootCertificates: readonly string[] } =
    process.getBuiltinModule("node:tls");
  // Node 20 can't tell which ones NODE_EXTRA_CA_CERTS adds.
  return tls.getCACertificates?.("default") ?? tls.rootCertificates;
}

function parseProxy(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && PROXIES.includes(url.protocol)) return url;
  throw new Error(
    `the proxy address ${JSON.stringify(redactText(text))} must be an http, https or socks5 URL: http://proxy:3128`,
  );
}
