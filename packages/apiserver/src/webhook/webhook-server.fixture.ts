import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { Authority, type CertificatePair } from "../http/certificates.ts";

/** The response of the server. */
export interface WebhookAnswer {
  status?: number;
  type?: string;
  body: string;
  /** Milliseconds before the response. */
  delay?: number;
}

/** A webhook server for tests, on a free port of 127.0.0.1. */
export class WebhookServer {
  readonly requests: { path: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  readonly pair: CertificatePair;
  readonly authority: Authority;
  connections = 0;
  #answer: (path: string, body: string) => WebhookAnswer;
  readonly #server: Server;

  constructor(answer: (path: string, body: string) => WebhookAnswer, hosts: readonly string[] = ["127.0.0.1"]) {
    this.#answer = answer;
    this.authority = new Authority("webhook-ca", Date.now);
    this.pair = this.authority.issueServing(hosts);
    this.#server = createServer({ cert: this.pair.cert, key: this.pair.key }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString();
        this.requests.push({ path: request.url as string, headers: request.headers, body });
        const {
          status = 200,
          type = "application/json",
          body: text,
          delay = 0,
        } = this.#answer(request.url as string, body);
        setTimeout(() => {
          response.writeHead(status, { "content-type": type });
          response.end(text);
        }, delay).unref();
      });
    });
    // Only clients close idle connections.
    this.#server.keepAliveTimeout = 600_000;
    this.#server.on("secureConnection", () => {
      this.connections++;
    });
  }

  /** Replaces the response of the server. */
  answerWith(answer: (path: string, body: string) => WebhookAnswer): void {
    this.#answer = answer;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** The bundle that test environments use: the certificate of the server itself. */
  get leafBundle(): string {
    return Buffer.from(this.pair.cert).toString("base64");
  }

  get caBundle(): string {
    return Buffer.from(this.authority.cert).toString("base64");
  }

  /** Closes idle connections, as servers do after a while. */
  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  openConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
