import type { RequestListener, ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { WebhookTlsOptions } from "../options.ts";

const limits = {
  maxHeaderSize: 1024 * 1024,
  headersTimeout: 32_000,
  keepAliveTimeout: 90_000,
  handshakeTimeout: 32_000,
};

export interface ListenOptions {
  host?: string;
  port: number;
  tls: WebhookTlsOptions;
  enableHTTP2: boolean;
  listener: RequestListener;
}

/** A listening HTTPS server that can be told to finish. */
export class SecureServer {
  readonly #server: Server | Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #answering = new Set<ServerResponse>();
  #tls: WebhookTlsOptions;

  private constructor(options: ListenOptions) {
    this.#tls = options.tls;
    const listener: RequestListener = (request, response) => {
      this.#answering.add(response);
      response.once("close", () => this.#answering.delete(response));
      options.listener(request, response);
    };
    if (options.enableHTTP2) {
      // Its listener has the same interface for both protocols.
      const server = createSecureServer({ ...limits, ...options.tls, allowHTTP1: true }, listener as never);
      server.on("session", (session) => {
        this.#sessions.add(session);
        session.once("close", () => this.#sessions.delete(session));
      });
      this.#server = server;
    } else {
      this.#server = createServer({ ...limits, ...options.tls }, listener);
    }
  }

  /** Binds the address; rejects when the port is taken. */
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

  /** New connections get another certificate; those that are open stay. */
  setCertificate(pair: { cert: string; key: string }): void {
    this.#tls = { ...this.#tls, ...pair };
    this.#server.setSecureContext(this.#tls);
  }

  /** Takes no more connections, lets every answer be sent, and then closes; after so many milliseconds whatever goes on. */
  async drain(milliseconds: number): Promise<void> {
    const server = this.#server;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const response of this.#answering) {
      // HTTP/2 has no such header: its sessions are closed as a whole.
      if (response.req.httpVersionMajor < 2 && !response.headersSent) response.setHeader("Connection", "close");
      response.once("close", () => closeIdle(server));
    }
    for (const session of this.#sessions) session.close();
    closeIdle(server);
    const timer = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      if ("closeAllConnections" in server) server.closeAllConnections();
    }, milliseconds);
    await closed;
    clearTimeout(timer);
  }
}

// An HTTP/2 server that speaks HTTP/1.1 too has no such method: there the header above closes connections.
function closeIdle(server: Server | Http2SecureServer): void {
  if ("closeIdleConnections" in server) server.closeIdleConnections();
}
