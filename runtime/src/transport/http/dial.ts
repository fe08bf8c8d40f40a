import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { WireError } from "../wire-error.ts";
import { tunnel } from "./tunnel.ts";

export interface DialOptions {
  /** Where to: `http:` or `https:`, host and port. */
  origin: URL;
  /** Identity, trust and server name of an `https:` server. */
  tls: ConnectionOptions;
  /** `http:`, `https:`, `socks5:` or `socks5h:` URL. */
  proxy?: URL;
  /** Identity and trust towards an `https:` proxy. */
  proxyTls?: ConnectionOptions;
  /** Finds the server's address, in place of the system's own way. */
  lookup?: LookupFunction;
  /** Milliseconds until the connection must be ready. */
  timeout: number;
  /** Milliseconds of silence after which the system looks whether the peer is there. */
  keepAliveDelay: number;
}

/** Opens connections to one server. TLS sessions are taken up again, which spares both sides the most of a handshake. */
export class Dialer {
  readonly #options: DialOptions;
  #session: Buffer | undefined;

  constructor(options: DialOptions) {
    this.#options = options;
  }

  /** Resolves to a socket that is ready for requests. `signal` gives it up. */
  dial(signal: AbortSignal): Promise<Socket> {
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
      /** Every layer of the connection reports here; the outermost is the one that is handed on. */
      const layer = (next: Socket): Socket => {
        next.on("error", settle);
        next.on("close", onClose);
        socket = next;
        return next;
      };
      const ready = (): void => {
        this.#tune(socket!);
        // From here on the connection is somebody else's. An inner layer keeps them: its end is that of the outer one.
        socket!.off("error", settle).off("close", onClose);
        settle();
      };
      if (proxy) {
        const secure = proxy.protocol === "https:";
        const first = layer(secure ? this.#tlsToProxy(proxy) : connect(place(proxy)));
        first.once(secure ? "secureConnect" : "connect", () => {
          tunnel(first, proxy, place(origin)).then(() => {
            if (origin.protocol === "https:") layer(this.#tls(first)).once("secureConnect", ready);
            else ready();
          }, settle);
        });
      } else if (origin.protocol === "https:") {
        layer(this.#tls()).once("secureConnect", ready);
      } else {
        layer(connect({ ...place(origin), lookup: this.#options.lookup })).once("connect", ready);
      }
    });
  }

  #tlsToProxy(proxy: URL): TLSSocket {
    const { host, port } = place(proxy);
    const servername = isIP(host) ? "" : host;
    return connectTls({ ...this.#options.proxyTls, host, port, servername, ALPNProtocols: ["http/1.1"] });
  }

  #tls(through?: Socket): TLSSocket {
    const { origin, tls, lookup } = this.#options;
    const { host, port } = place(origin);
    const socket = connectTls({
      ...tls,
      host,
      port,
      lookup,
      ...(through ? { socket: through } : {}),
      // Addresses are no server names; certificates are checked against them all the same.
      servername: tls.servername ?? (isIP(host) ? "" : host),
      ALPNProtocols: ["http/1.1"],
      session: this.#session,
    });
    socket.on("session", (session) => {
      this.#session = session;
    });
    return socket;
  }

  #tune(socket: Socket): void {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, this.#options.keepAliveDelay);
  }
}

// Loaded with the first connection: importing the runtime stays light.
function connectTls(options: ConnectionOptions): TLSSocket {
  return process.getBuiltinModule("node:tls").connect(options);
}

function place(url: URL): { host: string; port: number } {
  const port = url.port || (url.protocol === "https:" ? 443 : url.protocol.startsWith("socks") ? 1080 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}
