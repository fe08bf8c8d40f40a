import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, request as sendRequest } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../src/config/config.ts";
import { type Cut, cutOff, type Fault, passBody, type SeenRequest } from "./treatment.ts";

export interface HttpProxyOptions {
  /** The API server, and the credentials of all forwarded requests. */
  upstream: Config;
  /** Whether requests use only their own `Authorization` header instead of the credentials of `upstream`. */
  passCredentials?: boolean;
}

/** A proxy between an operator and the API server, which records each request and injects faults. */
export class HttpProxy {
  /** Received requests, in order. */
  readonly requests: SeenRequest[] = [];
  /** Determines the treatment of requests from now on. */
  fault: Fault | undefined;
  /** Routes a request to another server, with the same credentials. */
  route: ((request: SeenRequest) => Config | undefined) | undefined;
  /** Whether `requests` is recorded. Soak tests disable it, because they send too many requests. */
  remembers = true;
  readonly #target: URL;
  readonly #agent: Agent;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<ServerResponse>();

  private constructor({ upstream, passCredentials = false }: HttpProxyOptions) {
    this.#target = new URL(upstream.host);
    const identity = passCredentials ? {} : { cert: upstream.cert, key: upstream.key };
    this.#agent = new Agent({ keepAlive: true, ca: upstream.ca, ...identity });
    this.#server = createServer((incoming, response) => {
      response.on("error", () => {});
      this.#serve(incoming, response).catch(() => response.destroy());
    });
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Starts a proxy on a free port of 127.0.0.1. */
  static async start(options: HttpProxyOptions): Promise<HttpProxy> {
    const proxy = new HttpProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** Returns the configuration of clients that connect through this proxy. */
  get config(): Config {
    return { host: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` };
  }

  /** Returns the number of open watches. */
  get watches(): number {
    return this.#watches.size;
  }

  /** Ends all open watches and returns their number. */
  cutWatches(how: Cut): number {
    const open = [...this.#watches];
    for (const response of open) cutOff(response, how);
    return open.length;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const seen = see(incoming);
    if (this.remembers) this.requests.push(seen);
    const treatment = this.fault?.(seen) ?? {};
    if (treatment.refused) return cutOff(response, "reset");
    if (treatment.silent) return;
    if (treatment.delay) await sleep(treatment.delay);
    if (treatment.answer) {
      const { status, headers, body: text } = treatment.answer;
      seen.status = status;
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
      return;
    }
    const host = this.route?.(seen)?.host;
    const answer = await this.#forward(incoming, body, response, host ? new URL(host) : this.#target);
    seen.status = answer.statusCode ?? 0;
    if (seen.isWatch && answer.statusCode === 200) {
      this.#watches.add(response);
      response.on("close", () => this.#watches.delete(response));
    }
    response.writeHead(seen.status, answer.headers);
    response.flushHeaders();
    await passBody(answer, response, treatment);
  }

  /**
   * Forwards a request. Rejects if the server is unavailable or drops the connection before its response; the client then
   * gets the same error.
   */
  #forward(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    { hostname, port }: URL,
  ): Promise<IncomingMessage> {
    const { host: _, ...others } = headers;
    return new Promise((resolve, reject) => {
      const outgoing = sendRequest({ agent: this.#agent, hostname, port, method, path: url, headers: others }, resolve);
      outgoing.on("error", reject);
      response.on("close", () => outgoing.destroy());
      outgoing.end(body);
    });
  }
}

function see({ method = "", url = "", headers }: IncomingMessage): SeenRequest {
  const isWatch = /[?&]watch=true/.test(url);
  return { method, path: url, isWatch, authorization: headers.authorization, at: performance.now() };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
