import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, type Server, request as sendSecurely } from "node:https";
import type { AddressInfo } from "node:net";
import { limits, tlsLimits } from "../../../http/limits.ts";
import { tlsDefaults } from "../../../http/tls.ts";
import { conversionPath } from "../../http/paths.ts";
import { conversionFailure } from "./conversion-failure.ts";
import type { EndpointKeys } from "./keys.ts";
import { RequestTooLargeError, readRequestBody } from "./request-body.ts";

/** The webhook server of a running manager. */
export interface WebhookTarget {
  /** Port on the loopback interface. */
  readonly port: number;
  /** PEM text of its certificate: no other program that takes the port receives requests. */
  readonly cert: string;
}

/** Options of a {@link WebhookEndpoint}. */
export interface WebhookEndpointOptions {
  /** Address to listen on. Without one, it listens on all interfaces. */
  readonly host?: string;
  readonly port: number;
  readonly keys: EndpointKeys;
  /** Returns why no manager serves webhooks, for the errors of requests that have waited in vain. */
  readonly reason: () => string;
  /** Returns whether requests fail on purpose. */
  readonly isDown?: () => boolean;
  /**
   * Milliseconds that a request waits for a manager. API servers wait 30 seconds for a conversion, and don't report the reason
   * if the answer comes later.
   *
   * @defaultValue 28 seconds
   */
  readonly holdTime?: number;
}

const defaultHoldTime = 28_000;
/** Part of an API server's timeout that is left for the answer. */
const answerTime = 500;
/** Milliseconds after which a request is sent again to a manager that didn't answer and still runs. */
const retryTime = 50;
/** A request that ends each manager must not end all of them. */
const maxSent = 3;

/**
 * The address of webhooks during a development session: it stays the same while managers start and end, so that the
 * configuration of the cluster never changes. Requests wait for the next manager.
 */
export class WebhookEndpoint {
  readonly #options: WebhookEndpointOptions;
  readonly #server: Server;
  #target: { readonly port: number; readonly agent: Agent } | undefined;
  /** Why requests can't be answered, even by waiting. */
  #refusal: string | undefined;
  /** Called when the target changes. */
  readonly #waiting = new Set<() => void>();

  private constructor(options: WebhookEndpointOptions) {
    this.#options = options;
    const { cert, key } = options.keys.serving;
    this.#server = createServer({ ...limits, ...tlsLimits, ...tlsDefaults, cert, key }, (request, response) => {
      this.#serve(request, response).catch(() => request.socket.destroy());
    });
    this.#server.requestTimeout = 0;
  }

  /**
   * Listens.
   *
   * @param options - see {@link WebhookEndpointOptions}
   * @throws Error if the port is occupied
   */
  static async listen(options: WebhookEndpointOptions): Promise<WebhookEndpoint> {
    const endpoint = new WebhookEndpoint(options);
    const { host, port } = options;
    await new Promise<void>((resolve, reject) => {
      endpoint.#server.once("error", reject);
      endpoint.#server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
        endpoint.#server.off("error", reject);
        resolve();
      });
    });
    return endpoint;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sends requests to a manager, also those that wait. */
  use({ port, cert }: WebhookTarget): void {
    const agent = new Agent({ keepAlive: true, ca: cert, checkServerIdentity: () => undefined });
    this.#change({ port, agent }, undefined);
  }

  /** Lets requests wait for the next {@link use}. Those that were sent are still answered. */
  hold(): void {
    this.#change(undefined, undefined);
  }

  /** Answers requests with an error until the next {@link use} or {@link hold}. */
  refuse(reason: string): void {
    this.#change(undefined, reason);
  }

  /** Ends all requests and closes the port. */
  async close(): Promise<void> {
    this.refuse("the session has ended");
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  #change(target: { readonly port: number; readonly agent: Agent } | undefined, refusal: string | undefined): void {
    const before = this.#target;
    this.#target = target;
    this.#refusal = refusal;
    // A manager that stops waits for idle connections.
    if (before) closeIdle(before.agent);
    for (const wake of [...this.#waiting]) wake();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = performance.now() + this.#holdTime(request);
    let body: Buffer;
    try {
      body = await readRequestBody(request, response);
    } catch (error) {
      if (!(error instanceof RequestTooLargeError)) throw error;
      response.writeHead(413, { Connection: "close" }).end(error.message);
      return;
    }
    for (let sent = 0; sent < maxSent && !request.socket.destroyed; ) {
      if (this.#options.isDown?.()) {
        request.socket.destroy();
        return;
      }
      const target = await this.#next(end, request);
      if (!target) break;
      const outcome = await forward(request, response, body, target);
      if (outcome === "answered") return;
      if (outcome === "interrupted") sent++;
      // Its end is noticed soon.
      if (this.#target === target) await this.#changed(Math.min(performance.now() + retryTime, end), request);
    }
    if (request.socket.destroyed || response.headersSent) return;
    const text = this.#refusal ?? `no manager answers: ${this.#options.reason()}`;
    if (addressOf(request).pathname === conversionPath) conversionFailure(response, body, text);
    else response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8" }).end(text);
  }

  /** API servers send the timeout of admission webhooks in the URL. */
  #holdTime({ url = "/" }: IncomingMessage): number {
    const longest = this.#options.holdTime ?? defaultHoldTime;
    const seconds = Number(/[?&]timeout=(\d+)s/.exec(url)?.[1] ?? Number.NaN);
    return Number.isNaN(seconds) ? longest : Math.max(0, Math.min(longest, seconds * 1000 - answerTime));
  }

  /** Waits for a manager. */
  async #next(end: number, request: IncomingMessage) {
    while (!this.#target && this.#refusal === undefined && performance.now() < end && !request.socket.destroyed) {
      await this.#changed(end, request);
    }
    return performance.now() < end || this.#target ? this.#target : undefined;
  }

  /** Resolves when the target changes, at a time, or when the client is gone. */
  #changed(end: number, { socket }: IncomingMessage): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        socket.off("close", done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, end - performance.now()));
      this.#waiting.add(done);
      socket.once("close", done);
    });
  }
}

/**
 * Returns the address that a manager serves for a request. The path of conversions can end with what identifies their code, which is
 * part of the configuration so that API servers convert their objects again.
 */
function addressOf({ url = "/" }: IncomingMessage): URL {
  const address = new URL(url, "https://localhost");
  if (address.pathname.startsWith(`${conversionPath}/`)) address.pathname = conversionPath;
  return address;
}

/** `unsent`: nothing listens; `interrupted`: the connection ended before the answer. */
type Outcome = "answered" | "unsent" | "interrupted";

/** Headers of one connection. */
const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"]);

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  { port, agent }: { readonly port: number; readonly agent: Agent },
): Promise<Outcome> {
  const { method, headers } = request;
  const { pathname, search } = addressOf(request);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, method, path: `${pathname}${search}`, agent };
    const sent = sendSecurely({ ...options, headers: { ...kept, "content-length": String(body.length) } });
    const abandon = (): void => void sent.destroy();
    const end = (outcome: Outcome): void => {
      request.socket.off("close", abandon);
      resolve(outcome);
    };
    request.socket.once("close", abandon);
    sent.once("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      // An answer that breaks off isn't passed on.
      answer.once("close", () => {
        if (!answer.complete) return end("interrupted");
        const own = Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name));
        response.writeHead(answer.statusCode ?? 502, Object.fromEntries(own)).end(Buffer.concat(chunks));
        end("answered");
      });
    });
    sent.once("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED" ? "unsent" : "interrupted"));
    sent.end(body);
  });
}

/** Closes connections without a request. The others end with their answer. */
function closeIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  Object.assign(agent, { keepAlive: false });
}
