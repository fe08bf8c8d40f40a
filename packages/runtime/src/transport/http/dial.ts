import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { connecting } from "./hooks.ts";
import { tunnel } from "./tunnel.ts";
import { WireError } from "./wire-error.ts";

/** Options of TLS. A changed certificate has another object. */
export interface DialTls {
  /** Client certificate, authorities and server name for an `https:` server. */
  server: ConnectionOptions;
  /** Client certificate and authorities for an `https:` proxy. */
  proxy?: ConnectionOptions;
}

export interface DialOptions {
  /** The server's `http:` or `https:` URL. Only scheme, host and port are used. */
  origin: URL;
  /** Returns the options for the next handshake. */
  tls: () => Promise<DialTls>;
  /** `http:`, `https:`, `socks5:` or `socks5h:` URL. */
  proxy?: URL;
  /** Resolves the server's host name instead of the system resolver. */
  lookup?: LookupFunction;
  /** Time limit in milliseconds until the connection is ready. */
  timeout: number;
  /** Time of silence in milliseconds after which TCP keep-alive probes start. */
  keepAliveDelay: number;
}

/** Opens connections to one server. It resumes TLS sessions, which avoids most of the cost of a handshake. */
export class Dialer {
  readonly #options: DialOptions;
  /** The last session, and the options with which it was opened: it contains their client certificate. */
  #session: { ticket: Buffer; tls: DialTls } | undefined;

  constructor(options: DialOptions) {
    this.#options = options;
  }

  /** Resolves to a socket that is ready for requests. `signal` aborts the attempt. */
  async dial(signal: AbortSignal): Promise<Socket> {
    const tls = await this.#options.tls();
    return connecting(() => this.#dial(tls, signal));
  }

  #dial(tls: DialTls, signal: AbortSignal): Promise<Socket> {
    const { origin, proxy, timeout } = this.#options;
    return new Promise<Socket>((resolve, reject) => {
      let socket: Socket | undefined;
      const settle = (error?: unknown): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        if (error === undefined) {
          resolve(socket!);
        } else {
          socket?.destroy();
          reject(error);
        }
      };
      const onAbort = (): void => settle(signal.reason);
      const onClose = (): void => settle(new WireError("ECONNRESET", "the connection was closed while it was made"));
      const late = (): void => settle(new WireError("ETIMEDOUT", `no connection within ${timeout} ms`));
      const timer = setTimeout(late, timeout);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) return onAbort();
      /** Every layer of the connection reports its errors here. The outermost layer is returned. */
      const layer = (next: Socket): Socket => {
        next.on("error", settle);
        next.on("close", onClose);
        socket = next;
        return next;
      };
      const ready = (): void => {
        this.#tune(socket!);
        // The caller handles the returned socket from here on. Inner layers keep their listeners, since they end together
        // with the outer one.
        socket!.off("error", settle).off("close", onClose);
        settle();
      };
      if (proxy) {
        const secure = proxy.protocol === "https:";
        const first = layer(secure ? this.#tlsToProxy(tls, proxy) : connect(place(proxy)));
        first.once(secure ? "secureConnect" : "connect", () => {
          tunnel(first, proxy, place(origin)).then(() => {
            if (origin.protocol === "https:") layer(this.#tls(tls, first)).once("secureConnect", ready);
            else ready();
          }, settle);
        });
      } else if (origin.protocol === "https:") {
        layer(this.#tls(tls)).once("secureConnect", ready);
      } else {
        layer(connect({ ...place(origin), lookup: this.#options.lookup })).once("connect", ready);
      }
    });
  }

  #tlsToProxy(tls: DialTls, proxy: URL): TLSSocket {
    const { host, port } = place(proxy);
    const servername = isIP(host) ? "" : host;
    return connectTls({ ...tls.proxy, host, port, servername, ALPNProtocols: ["http/1.1"] });
  }

  #tls(tls: DialTls, through?: Socket): TLSSocket {
    const { origin, lookup } = this.#options;
    const { host, port } = place(origin);
    const socket = connectTls({
      ...tls.server,
      host,
      port,
      lookup,
      ...(through ? { socket: through } : {}),
      // IP addresses aren't valid server names in TLS, but certificates are still verified against them.
      servername: tls.server.servername ?? (isIP(host) ? "" : host),
      ALPNProtocols: ["http/1.1"],
      session: this.#session?.tls === tls ? this.#session.ticket : undefined,
    });
    socket.on("session", (ticket) => {
      this.#session = { ticket, tls };
    });
    return socket;
  }

  #tune(socket: Socket): void {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, this.#options.keepAliveDelay);
  }
}

// Loaded with the first connection, to keep importing the runtime fast.
function connectTls(options: ConnectionOptions): TLSSocket {
  return process.getBuiltinModule("node:tls").connect(options);
}

function place(url: URL): { host: string; port: number } {
  const port = url.port || (url.protocol === "https:" ? 443 : url.protocol.startsWith("socks") ? 1080 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}
