import type { IncomingMessage, Server as PlainServer, RequestListener } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import { ConnectionLimiter } from "../http/connection-limiter.ts";
import { limits, tlsLimits } from "../http/limits.ts";
import type { WebhookTlsOptions } from "../webhook/options.ts";
import type { BindAddress } from "./bind-address.ts";

/** A server of Node, plain or secure. */
export type NodeServer = PlainServer | SecureServer;

/** Milliseconds between two looks for connections that have nothing to answer any more. */
const idlePoll = 50;

/** A server that ends without cutting an answer short. */
export class HttpServer {
  readonly node: NodeServer;
  readonly #tls: WebhookTlsOptions | undefined;
  /** Connections that have not asked yet, by the client's address: Node doesn't take them for idle. */
  readonly #fresh = new Map<string, Socket>();

  /** Follows a server; one that listens already may have connections that are followed no more. */
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

  /** A server for a listener; with `tls` it speaks HTTPS. */
  static of(listener: RequestListener, tls?: WebhookTlsOptions): HttpServer {
    const limiter = new ConnectionLimiter();
    const limited = limiter.listener(listener);
    const node = tls
      ? process.getBuiltinModule("node:https").createServer({ ...limits, ...tlsLimits, ...tls }, limited)
      : process.getBuiltinModule("node:http").createServer(limits, limited);
    limiter.watch(node);
    return new HttpServer(node, tls);
  }

  /** Makes a server and binds an address. */
  static async listen(address: BindAddress, listener: RequestListener, tls?: WebhookTlsOptions): Promise<HttpServer> {
    const server = HttpServer.of(listener, tls);
    await server.bind(address);
    return server;
  }

  /** Binds an address; rejects when the port is taken. */
  bind({ host, port }: BindAddress): Promise<void> {
    return new Promise((resolve, reject) => {
      this.node.once("error", reject);
      this.node.listen(port, host, () => {
        this.node.off("error", reject);
        resolve();
      });
    });
  }

  /** The port that was bound: of interest where port 0 was asked for. */
  get port(): number {
    return (this.node.address() as AddressInfo).port;
  }

  /** New connections get another certificate; those that are open stay. */
  setCertificate(pair: CertificatePair): void {
    if (this.#tls) (this.node as SecureServer).setSecureContext({ ...this.#tls, ...pair });
  }

  /**
   * Takes no more connections, lets every answer be sent, and closes; after so many milliseconds whatever goes on. Tells whether
   * all was answered.
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
