import type { RequestListener, ServerResponse } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { CertificatePair } from "../../certs/certificate-pair.ts";
import { ConnectionLimiter } from "../../http/connection-limiter.ts";
import { http2Limits, limits, maxConnections, maxHttp2Connections, tlsLimits } from "../../http/limits.ts";
import type { WebhookTlsOptions } from "../../http/tls.ts";

/** Time in milliseconds after the last request in which requests that were sent before the stop can still arrive. */
const lingerTime = 1000;
/**
 * The same for new connections, as in Go's server: a first request is under way, and Go's client only retries later ones of a
 * connection.
 */
const firstRequestTime = 5000;

export interface ListenOptions {
  host?: string;
  port: number;
  tls: WebhookTlsOptions;
  enableHTTP2: boolean;
  listener: RequestListener;
}

/** A listening HTTPS server that can be drained. */
export class SecureServer {
  readonly #server: Server | Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  /** HTTP/1.1 connections with their responses in progress. */
  readonly #connections = new Map<Socket, Set<ServerResponse>>();
  /** Connections without a request so far. */
  readonly #fresh = new Set<Socket>();
  /** Connections during their TLS handshake, by the client's address. */
  readonly #greeting = new Map<string, Socket>();
  /** Number of connections so far. */
  #accepted = 0;
  #tls: WebhookTlsOptions;
  /** Timers that end unused connections while the server drains. */
  #endings: readonly NodeJS.Timeout[] | undefined;

  private constructor(options: ListenOptions) {
    this.#tls = options.tls;
    const limiter = new ConnectionLimiter(options.enableHTTP2 ? maxHttp2Connections : maxConnections);
    const listener = limiter.listener((request, response) => {
      this.#follow(request.socket, response);
      options.listener(request, response);
    });
    if (options.enableHTTP2) {
      // Request listeners have the same interface for both protocols. The module isn't imported: a bundle would load it at
      // each start, although most programs never need it.
      const { createSecureServer } = process.getBuiltinModule("node:http2");
      const server = createSecureServer(
        { ...limits, ...http2Limits, ...tlsLimits, ...options.tls, allowHTTP1: true },
        listener as never,
      );
      // They apply to HTTP/1.1 only if they are set here; an unused session ends like a connection.
      Object.assign(server, limits, { requireHostHeader: true });
      server.setTimeout(limits.keepAliveTimeout);
      server.on("session", (session) => {
        this.#sessions.add(session);
        session.once("close", () => this.#sessions.delete(session));
      });
      this.#server = server;
    } else {
      const { createServer } = process.getBuiltinModule("node:https");
      this.#server = createServer({ ...limits, ...tlsLimits, ...options.tls }, listener);
    }
    limiter.watch(this.#server);
    this.#server.on("connection", (socket: Socket) => {
      this.#accepted++;
      const client = clientOf(socket);
      this.#greeting.set(client, socket);
      socket.once("close", () => this.#greeting.delete(client));
    });
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#greeting.delete(clientOf(socket));
      if (socket.alpnProtocol === "h2") return;
      this.#connections.set(socket, new Set());
      this.#fresh.add(socket);
      socket.once("close", () => {
        this.#connections.delete(socket);
        this.#fresh.delete(socket);
      });
    });
  }

  /** Binds the address. Rejects if the port is occupied. */
  static async listen(options: ListenOptions): Promise<SecureServer> {
    const secure = new SecureServer(options);
    const server = secure.#server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(options.port, options.host || undefined, () => {
        server.off("error", reject);
        resolve();
      });
    });
    return secure;
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** Sets the certificate of new connections. Open connections keep theirs. */
  setCertificate(pair: CertificatePair): void {
    this.#tls = { ...this.#tls, ...pair };
    this.#server.setSecureContext(this.#tls);
  }

  /**
   * Accepts only connections that are established already, completes all responses, and closes; after the given time,
   * even if responses are pending. Each connection accepts one more request for a second after the last of all requests,
   * or five seconds if it had none: a request can be under way, clients don't retry it, and busy clients take long to use
   * all of their connections.
   */
  async drain(milliseconds: number): Promise<void> {
    this.#endings = [
      afterReading(() => this.#closeIdle(), lingerTime),
      afterReading(() => this.#closeFresh(), firstRequestTime),
    ];
    for (const answers of this.#connections.values()) for (const response of answers) endAfter(response);
    await this.#acceptWaiting();
    const server = this.#server;
    // The server's own `close` ends idle connections immediately.
    const closed = new Promise<void>((resolve) => {
      process.getBuiltinModule("node:net").Server.prototype.close.call(server, () => resolve());
    });
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#connections.keys()) socket.destroy();
    }, milliseconds);
    await closed;
    for (const ending of [...this.#endings, timer]) clearTimeout(ending);
    server.close();
  }

  /**
   * Accepts the connections that the system has established: they would be reset when the server stops to listen. Node.js
   * accepts one of them per turn of the event loop.
   */
  async #acceptWaiting(): Promise<void> {
    const latest = performance.now() + lingerTime;
    let before: number;
    await turn();
    do {
      before = this.#accepted;
      await turn();
    } while (this.#accepted > before && performance.now() < latest);
  }

  #closeIdle(): void {
    for (const [socket, answers] of this.#connections) {
      if (answers.size === 0 && !this.#fresh.has(socket)) socket.destroy();
    }
  }

  #closeFresh(): void {
    for (const socket of this.#fresh) socket.destroy();
    for (const socket of this.#greeting.values()) socket.destroy();
  }

  #follow(socket: Socket, response: ServerResponse): void {
    const answers = this.#connections.get(socket);
    if (!answers) return;
    answers.add(response);
    this.#fresh.delete(socket);
    if (this.#endings) endAfter(response);
    for (const ending of this.#endings ?? []) ending.refresh();
    // Node.js ends the connection if the response announced it. If not, the client may have sent the next request already.
    response.once("close", () => answers.delete(response));
  }
}

/**
 * Creates a timer that runs after pending data was read: in a busy process, timers run before sockets, and a connection
 * that appears idle can have a pending request.
 */
function afterReading(act: () => void, milliseconds: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), milliseconds);
}

/** Waits until the event loop has handled what was pending. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Ends a connection after its last response, which announces it to the client. */
function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
