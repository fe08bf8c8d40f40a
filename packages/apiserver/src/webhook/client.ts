import { Agent, type AgentOptions, type RequestOptions, request } from "node:https";
import { isIP } from "node:net";
import { connect, createSecureContext, type TLSSocket } from "node:tls";
import { goQuote } from "@kubewright/cel/json";
import { certificateProblem } from "./certificate-errors.ts";
import { transportMessage } from "./transport-errors.ts";

/** The address of a webhook: a URL, or a service of the cluster. */
export interface ClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** PEM certificates in base64. The certificates of the system apply without it. */
  caBundle?: string;
}

/** The response of a webhook. */
export interface WebhookResponse {
  status: number;
  contentType: string;
  body: Buffer;
}

/** A webhook that can't be called. The message is that of kube-apiserver's client. */
export class WebhookCallError extends Error {
  /** True if not even a client could be created from the configuration. */
  readonly badConfiguration: boolean;

  constructor(message: string, badConfiguration = false) {
    super(message);
    this.name = "WebhookCallError";
    this.badConfiguration = badConfiguration;
  }
}

/** The parts that calls of webhooks use. */
export interface WebhookClientOptions {
  /**
   * Finds the address of a service's port.
   *
   * @returns the host and the port to connect to
   * @throws Error with the message for the response
   */
  resolveService: (namespace: string, name: string, port: number) => { host: string; port: number };
  /** Milliseconds since the epoch, for the validity of certificates. */
  now: () => number;
  /** The header field User-Agent. */
  userAgent: string;
}

/** Connections that may be open to one webhook. */
const maximumConnections = 64;
const maximumIdleConnections = 16;
/** Trusted authorities and their connections that are kept: each rotation of a certificate adds one. */
const maximumAgents = 100;
/**
 * Short, because a webhook server that stops waits a second for requests on open connections: with the 90 s of kube-apiserver,
 * each restart under `scaffold dev` took that second. A new handshake takes a few milliseconds.
 */
const idleMilliseconds = 250;
const maximumResponseBytes = 16 * 1024 * 1024;

interface Target {
  agent: Agent;
  host: string;
  port: number;
  path: string;
  /** The beginning of the URL in messages. */
  base: string;
}

/** Calls webhooks, and keeps connections to them open. */
export class WebhookClients {
  readonly #options: WebhookClientOptions;
  readonly #agents = new Map<string, Agent>();
  readonly #running = new Set<AbortController>();
  #closed = false;

  /** @param options - how services are found */
  constructor(options: WebhookClientOptions) {
    this.#options = options;
  }

  /**
   * Posts a document to a webhook.
   *
   * @param config - where the webhook is
   * @param seconds - the time limit; it is sent as the parameter `timeout` too, in full seconds
   * @param document - the JSON to send
   * @returns the response, whatever its status code is
   * @throws WebhookCallError with the message of Go's client if no response arrives
   */
  async call(config: ClientConfig, seconds: number, document: string): Promise<WebhookResponse> {
    const target = this.#target(config);
    const path = `${target.path}${seconds > 0 ? `?timeout=${Math.ceil(seconds)}s` : ""}`;
    const abort = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      abort.abort();
    }, seconds * 1000);
    this.#running.add(abort);
    if (this.#closed) abort.abort();
    const failed = (error: unknown): WebhookCallError => {
      if (error instanceof WebhookCallError) return error;
      const reason = timedOut ? "context deadline exceeded" : transportMessage(error, target.host, target.port);
      return new WebhookCallError(`Post ${goQuote(`${target.base}${path}`)}: ${reason}`);
    };
    try {
      return await this.#post(target, path, document, abort.signal, () => timedOut).catch((error: unknown) => {
        throw failed(error);
      });
    } finally {
      clearTimeout(timer);
      this.#running.delete(abort);
    }
  }

  /** Ends all calls and connections. */
  close(): void {
    this.#closed = true;
    for (const abort of this.#running) abort.abort();
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #post(
    target: Target,
    path: string,
    document: string,
    signal: AbortSignal,
    timedOut: () => boolean,
  ): Promise<WebhookResponse> {
    const { agent, host, port } = target;
    const body = Buffer.from(document);
    const headers = {
      accept: "application/json, */*",
      "content-type": "application/json",
      "content-length": body.length,
      "user-agent": this.#options.userAgent,
      host: target.base.slice("https://".length),
    };
    const options: RequestOptions = { agent, host, port, path, method: "POST", headers, signal };
    for (;;) {
      let reused = false;
      try {
        return await send(options, body, timedOut, (isReused) => {
          reused = isReused;
        });
      } catch (error) {
        // The webhook has closed an idle connection at the moment it was used again.
        const closed = ["ECONNRESET", "EPIPE"].includes((error as NodeJS.ErrnoException).code ?? "");
        if (!reused || !closed || signal.aborted) throw error;
      }
    }
  }

  #target(config: ClientConfig): Target {
    const ca = decodeBundle(config.caBundle);
    if (config.service !== undefined) {
      const { namespace, name, path = "", port = 443 } = config.service;
      const serverName = `${name}.${namespace}.svc`;
      const base = `https://${serverName}:${port}`;
      const clean = cleanPath(path);
      let address: { host: string; port: number };
      try {
        address = this.#options.resolveService(namespace, name, port);
      } catch (error) {
        const url = `${base}${clean}`;
        return { ...this.#failing(error as Error, url), path: clean, base };
      }
      return { agent: this.#agent(ca, serverName), ...address, path: clean, base };
    }
    if (!config.url) throw new WebhookCallError("webhook configuration must have either service or URL", true);
    const url = new URL(config.url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    return {
      agent: this.#agent(ca, host),
      host,
      port: url.port === "" ? 443 : Number(url.port),
      path: cleanPath(url.pathname),
      // Go keeps the port as it was written, also if it is 443.
      base: `https://${/^https:\/\/([^/?#]*)/i.exec(config.url)?.[1] ?? url.host}`,
    };
  }

  /** A connection to a service that has no address fails where Go's client would dial. */
  #failing(error: Error, url: string): { agent: Agent; host: string; port: number } {
    const agent = new ConnectingAgent({}, () => {
      throw new DialError(error.message);
    });
    return { agent, host: url, port: 0 };
  }

  #agent(ca: string | undefined, serverName: string): Agent {
    const key = `${serverName}\n${ca ?? ""}`;
    const cached = this.#agents.get(key);
    if (cached !== undefined) {
      // The least recently used one is the first.
      this.#agents.delete(key);
      this.#agents.set(key, cached);
      return cached;
    }
    const context = secureContext(ca);
    const options = {
      keepAlive: true,
      maxSockets: maximumConnections,
      maxFreeSockets: maximumIdleConnections,
      timeout: idleMilliseconds,
    };
    const agent = new ConnectingAgent(options, (host, port, done) =>
      this.#connect(host, port, serverName, { context, ca }, done),
    );
    this.#agents.set(key, agent);
    // Calls in progress end on the connections of a forgotten agent, which close when they are idle.
    if (this.#agents.size > maximumAgents) this.#agents.delete(this.#agents.keys().next().value as string);
    return agent;
  }

  /** Connects and verifies the certificate before anything is sent. */
  #connect(host: string, port: number, serverName: string, { context, ca }: Trust, done: ConnectCallback): void {
    const socket = connect({
      host,
      port,
      secureContext: context,
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    });
    const fail = (error: Error): void => {
      socket.removeListener("close", closed);
      done(error);
    };
    const closed = (): void => done(Object.assign(new Error("EOF"), { code: "EOF" }));
    socket.once("error", fail);
    socket.once("close", closed);
    socket.once("secureConnect", () => {
      socket.removeListener("error", fail);
      socket.removeListener("close", closed);
      const problem = certificateProblem(socket, serverName, this.#options.now(), ca);
      if (problem === undefined) return done(null, socket);
      socket.destroy();
      done(new DialError(problem));
    });
  }
}

type Context = ReturnType<typeof createSecureContext>;

/** The authorities whose certificates are trusted. */
interface Trust {
  context: Context;
  /** Undefined for those of the system. */
  ca: string | undefined;
}

type ConnectCallback = (error: Error | null, socket?: TLSSocket) => void;

type Connect = (host: string, port: number, done: ConnectCallback) => void;

/** Keeps connections that a function opens. */
class ConnectingAgent extends Agent {
  readonly #connect: Connect;

  constructor(options: AgentOptions, connect: Connect) {
    super(options);
    this.#connect = connect;
  }

  /** Node.js calls this function for each new connection; its types don't declare it. */
  createConnection(options: { host: string; port: number }, done: ConnectCallback): undefined {
    this.#connect(options.host, options.port, done);
  }
}

/** An error whose message is already Go's. */
class DialError extends Error {
  readonly code = "DIAL";
}

function secureContext(ca: string | undefined): Context {
  // Test environments put the certificate of the webhook itself in the bundle, not that of its authority.
  return createSecureContext(ca === undefined ? {} : { ca, allowPartialTrustChain: true });
}

function decodeBundle(bundle: string | undefined): string | undefined {
  if (bundle === undefined || bundle === "") return undefined;
  const text = Buffer.from(bundle, "base64").toString("latin1");
  if (text.includes("-----BEGIN CERTIFICATE-----") && text.includes("-----END CERTIFICATE-----")) {
    try {
      createSecureContext({ ca: text });
      return text;
    } catch {
      // Falls through to the error.
    }
  }
  throw new WebhookCallError("unable to load root certificates: unable to parse bytes as PEM block", true);
}

/** Cleans a path as Go's `path.Join("/", path)` does. */
function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function send(
  options: RequestOptions,
  body: Buffer,
  timedOut: () => boolean,
  onSocket: (reused: boolean) => void,
): Promise<WebhookResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const broken = (reason: string): void => {
        const text = `unexpected error when reading response body. Please retry. Original error: ${reason}`;
        reject(new WebhookCallError(text));
      };
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maximumResponseBytes) chunks.push(chunk);
        else response.destroy(new Error("http: response body too large"));
      });
      response.on("error", (error) => broken(timedOut() ? "context deadline exceeded" : bodyProblem(error)));
      response.on("end", () =>
        resolve({
          status: response.statusCode as number,
          contentType: response.headers["content-type"] ?? "",
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on("socket", () => onSocket(outgoing.reusedSocket));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function bodyProblem(error: Error): string {
  return (error as NodeJS.ErrnoException).code === "ECONNRESET" ? "unexpected EOF" : error.message;
}
