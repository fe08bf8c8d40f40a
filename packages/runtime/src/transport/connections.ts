import type { LookupFunction } from "node:net";
import type { Config } from "../config/config.ts";
import { redactText } from "../log/redact-text.ts";
import { Dialer, type DialTls } from "./http/dial.ts";
import { Pool } from "./http/pool.ts";
import { proxyFromEnvironment } from "./proxy.ts";
import type { TlsText } from "./tls-files.ts";

/** A client certificate of a credential plugin, which replaces that of the configuration. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/** The open connections to one server: one pool shared by requests, and one for streams. */
export interface Connections {
  readonly requests: Pool;
  readonly streams: Pool;
  /** Closes the connections after their current requests finish. */
  close(): void;
  /** Breaks the connections and their current requests. */
  destroy(error: Error): void;
}

// API servers allow the same number of concurrent streams per HTTP/2 client.
const MAX_REQUEST_CONNECTIONS = 100;
// API servers drop idle connections after 90 s. Closing them earlier prevents writes to a connection that the server is
// closing.
const IDLE = 60_000;
// Probes start after 30 s of silence: one per second, ten in total. A dead peer is detected after 40 s.
const KEEP_ALIVE_DELAY = 30_000;
const CONNECT_TIMEOUT = 10_000;
const PROXIES = ["http:", "https:", "socks5:", "socks5h:"];

/**
 * Prepares the pools. Connections are opened on demand.
 *
 * @param config - server and TLS options
 * @param origin - URL of the server
 * @param certificate - client certificate that replaces that of the configuration
 * @param onResolved - receives the duration of each name lookup in milliseconds
 * @param read - returns authorities, certificate and key for the next handshake; by default those of the configuration
 * @returns the pools
 * @throws Error for an invalid key, certificate or proxy
 */
export function openConnections(
  config: Config,
  origin: URL,
  certificate?: ClientCertificate,
  onResolved?: (duration: number) => void,
  read: () => TlsText | Promise<TlsText> = () => config,
): Connections {
  // Built-in modules are loaded on first use, to keep importing the runtime fast.
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const rejectUnauthorized = config.insecureSkipTLSVerify !== true;
  const proxy = parseProxy(config.proxyUrl ?? proxyFromEnvironment(origin));
  const parse = ({ ca, cert, key }: TlsText): DialTls => {
    const identity = { ca, cert: certificate?.cert ?? cert, key: certificate?.key ?? key };
    return {
      server: {
        secureContext: origin.protocol === "https:" ? createSecureContext(identity) : undefined,
        servername: config.tlsServerName,
        rejectUnauthorized,
      },
      proxy:
        proxy?.protocol === "https:"
          ? {
              secureContext: createSecureContext({ ...identity, ca: ca && [ca, ...systemAuthorities()] }),
              rejectUnauthorized,
            }
          : undefined,
    };
  };
  let text: TlsText = config;
  // Keys and authorities are parsed once per content, not per connection.
  let tls = parse(text);
  const currentTls = async (): Promise<DialTls> => {
    const current = await read();
    if (current.ca !== text.ca || current.cert !== text.cert || current.key !== text.key) {
      text = current;
      tls = parse(text);
    }
    return tls;
  };
  const lookup = onResolved && timedLookup(onResolved);
  const dialer = new Dialer({
    origin,
    tls: currentTls,
    proxy,
    lookup,
    timeout: CONNECT_TIMEOUT,
    keepAliveDelay: KEEP_ALIVE_DELAY,
  });
  const open = (size: number, lender?: Pool): Pool => new Pool({ dialer, host: origin.host, size, idle: IDLE, lender });
  const requests = open(MAX_REQUEST_CONNECTIONS);
  // The first watch of a kind follows its discovery. Reusing that connection saves a handshake.
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

/**
 * Returns the system's authorities. A proxy can have a certificate of the cluster or the company, so both are trusted.
 * client-go trusts only the cluster's authority.
 */
function systemAuthorities(): readonly string[] {
  const tls: { getCACertificates?: (type: string) => string[]; rootCertificates: readonly string[] } =
    process.getBuiltinModule("node:tls");
  // Node 20 cannot list the certificates that NODE_EXTRA_CA_CERTS adds.
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

/** Returns Node's name lookup, extended by a callback with the duration in milliseconds. */
function timedLookup(onResolved: (duration: number) => void): LookupFunction {
  return (hostname, options, callback) => {
    const started = performance.now();
    // Loaded on first use, to keep importing the runtime fast.
    const { lookup } = process.getBuiltinModule("node:dns");
    lookup(hostname, options, (error, address, family) => {
      onResolved(performance.now() - started);
      callback(error, address as string, family);
    });
  };
}
