import type { IncomingMessage, Server as PlainServer, RequestListener } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import { ConnectionLimiter } from "../http/connection-limiter.ts";
import { limits, tlsLimits } from "../http/limits.ts";
import type { WebhookTlsOptions } from "../http/tls.ts";
import type { BindAddress } from "./bind-address.ts";

/** An HTTP or HTTPS server of Node.js. */
export type NodeServer = PlainServer | SecureServer;

/** Interval in milliseconds for closing idle connections. */
const idlePoll = 50;

/** A server that shuts down gracefully. */
export class HttpServer {
  readonly node: NodeServer;
  readonly #tls: WebhookTlsOptions | undefined;
  /** Connections without a request so far, by client address. Node.js doesn't count them as idle. */
  readonly #fresh = new Map<string, Socket>();

  /** Tracks the connections of a server. Existing connections of a listening server aren't tracked. */
  constructor(node: NodeServer, tls?: WebhookTlsOptions) {
    this.node = node;
    this.#tls = tls;
    node.on("connection", (socket: Socket) => {
      const client = clientOf(socket);
      this.#fresh.set(client, socket);
      socket.once("close", () => this.#fresh.delete(client));
    });
    node.on("request", ({ socket }: IncomingMessage) => this.#fresh.delete(clientOf(socket)));
  }

  /** Creates a server for a listener; with `tls`, it uses HTTPS. */
  static of(listener: RequestListener, tls?: WebhookTlsOptions): HttpServer {
    const limiter = new ConnectionLimiter();
    const limited = limiter.listener(listener);
    const node = tls
      ? process.getBuiltinModule("node:https").createServer({ ...limits, ...tlsLimits, ...tls }, limited)
      : process.getBuiltinModule("node:http").createServer(limits, limited);
    limiter.watch(node);
    return new HttpServer(node, tls);
  }

  /** Creates a server and binds an address. */
  static async listen(address: BindAddress, listener: RequestListener, tls?: WebhookTlsOptions): Promise<HttpServer> {
    const server = HttpServer.of(listener, tls);
    await server.bind(address);
    return server;
  }

  /** Binds an address. Rejects if the port is in use. */
  bind({ host, port }: BindAddress): Promise<void> {
    return new Promise((resolve, reject) => {
      this.node.once("error", reject);
      this.node.listen(port, host, () => {
        this.node.off("error", reject);
        resolve();
      });
    });
  }

  /** Returns the bound port, which differs from the requested one if that is 0. */
  get port(): number {
    return (this.node.address() as AddressInfo).port;
  }

  /** Sets the certificate of new connections. Open connections are unaffected. */
  setCertificate(pair: CertificatePair): void {
    if (this.#tls) (this.node as SecureServer).setSecureContext({ ...this.#tls, ...pair });
  }

  /**
   * Stops accepting connections, waits for pending responses, and closes. After the timeout in milliseconds, it closes all
   * connections. Returns whether all requests were answered.
   */
  async close(timeout: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { node } = this;
    if (!node.listening) return true;
    const closed = new Promise<void>((resolve) => node.close(() => resolve()));
    for (const socket of this.#fresh.values()) socket.destroy();
    const poll = setInterval(() => node.closeIdleConnections(), idlePoll);
    let isLate = false;
    const onLate = (): void => {
      isLate = true;
      node.closeAllConnections();
    };
    const timer = Number.isFinite(timeout) ? setTimeout(onLate, timeout) : undefined;
    await closed;
    clearInterval(poll);
    clearTimeout(timer);
    return !isLate;
  }
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
