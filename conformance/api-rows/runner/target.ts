// The server under comparison.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { RequestOptions } from "./row.ts";
import { type Certificate, startWebhooks, type Webhooks } from "./webhook.ts";

export interface TargetOptions {
  readonly url: string;
  /** The administrator's token. */
  readonly token?: string;
  /** Files in PEM. */
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** The certificate of the webhooks. Without it, openssl creates one. */
  readonly hookCertificate?: Certificate;
}

/** A response. `type` is the content type. */
export interface HttpAnswer extends JsonObject {
  status: number;
  type: string;
  headers: JsonObject;
}

/** An open stream of events. */
export class EventStream {
  readonly head: HttpAnswer;
  readonly events: JsonObject[] = [];
  closed = false;
  /** All text that was received. */
  raw = "";
  #rest = "";
  readonly #request: ClientRequest;

  constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.head = answer(response, Buffer.alloc(0));
    response.setEncoding("utf8").on("data", (text: string) => this.#add(text));
    for (const event of ["end", "close", "error"]) response.on(event, () => this.#end());
  }

  get status(): number {
    return this.head.status;
  }

  close(): void {
    this.#request.destroy();
  }

  #add(text: string): void {
    this.raw += text;
    if (this.status !== 200) return;
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    this.events.push(...lines.filter((line) => line.trim() !== "").map(eventOf));
  }

  #end(): void {
    if (this.#rest.trim() !== "") this.events.push(eventOf(this.#rest));
    this.#rest = "";
    this.closed = true;
  }
}

function eventOf(line: string): JsonObject {
  try {
    return JSON.parse(line);
  } catch {
    return { unparsable: line };
  }
}

/** A server, with webhooks that it calls and a home for kubectl. */
export class Target {
  readonly url: string;
  /** A temporary directory for the scenarios. */
  readonly directory: string;
  readonly home: string;
  readonly kubeconfig: string;
  readonly hooks: Webhooks;
  readonly #token: string | undefined;
  readonly #tls: https.AgentOptions;
  readonly #agent: http.Agent;

  constructor(options: TargetOptions, directory: string, hooks: Webhooks) {
    this.url = options.url.replace(/\/$/, "");
    this.directory = directory;
    this.hooks = hooks;
    this.home = join(directory, "home");
    this.kubeconfig = join(directory, "kubeconfig");
    this.#token = options.token;
    const ca = options.ca && readFileSync(options.ca, "utf8");
    const cert = options.clientCert && readFileSync(options.clientCert);
    const key = options.clientCert && readFileSync(options.clientKey ?? options.clientCert);
    this.#tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: Boolean(ca) };
    this.#agent = this.#isTls
      ? new https.Agent({ ...this.#tls, keepAlive: true, maxSockets: 64 })
      : new http.Agent({ keepAlive: true, maxSockets: 64 });
    mkdirSync(this.home);
    writeFileSync(this.kubeconfig, JSON.stringify(this.#kubeconfigContent()), { mode: 0o600 });
  }

  get #isTls(): boolean {
    return this.url.startsWith("https:");
  }

  #kubeconfigContent(): object {
    const { ca, cert, key } = this.#tls;
    const data = (value: https.AgentOptions["ca"]): string => Buffer.from(value as string | Buffer).toString("base64");
    const trust = ca ? { "certificate-authority-data": data(ca) } : { "insecure-skip-tls-verify": true };
    const user = {
      ...(this.#token && { token: this.#token }),
      ...(cert && { "client-certificate-data": data(cert) }),
      ...(key && { "client-key-data": data(key as Buffer) }),
    };
    return {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "main",
      contexts: [{ name: "main", context: { cluster: "main", user: "main", namespace: "default" } }],
      clusters: [{ name: "main", cluster: { server: this.url, ...(this.#isTls ? trust : {}) } }],
      users: [{ name: "main", user }],
    };
  }

  /** Sends a request, and waits for at most a minute for its response. */
  request(method: string, path: string, options: RequestOptions = {}): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const request = this.#open(method, path, options, this.#agent);
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("error", reject)
          .on("end", () => resolve(answer(response, Buffer.concat(chunks))));
      });
      request.setTimeout(60_000, () => request.destroy(new Error("no answer for 60 s")));
    });
  }

  /** Opens a stream. Resolves when its headers have arrived. */
  stream(path: string, options: RequestOptions = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const request = this.#open("GET", path, options, false);
      request.on("error", reject);
      request.on("response", (response) => resolve(new EventStream(request, response)));
      request.setTimeout(90_000, () => request.destroy());
    });
  }

  #open(method: string, path: string, options: RequestOptions, agent: http.Agent | false): ClientRequest {
    const { body } = options;
    const payload =
      body === undefined ? undefined : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const headers = this.#headers(options);
    if (payload !== undefined) {
      headers["content-type"] ??= "application/json";
      if (headers["content-type"] === "-") delete headers["content-type"];
      headers["content-length"] = payload.length;
    }
    const { request } = this.#isTls ? https : http;
    const sent = request(`${this.url}${path}`, { method, agent, headers, ...(agent === false ? this.#tls : {}) });
    sent.end(payload);
    return sent;
  }

  #headers({ token, anonymous, as, groups, headers: own = {} }: RequestOptions): OutgoingHttpHeaders {
    const headers: OutgoingHttpHeaders = { accept: "application/json", "user-agent": "api-diff/1.0" };
    const credentials = token || (anonymous ? undefined : this.#token);
    if (credentials) headers.authorization = `Bearer ${credentials}`;
    if (as) headers["impersonate-user"] = as;
    if (groups) headers["impersonate-group"] = [...groups];
    for (const [name, value] of Object.entries(own)) {
      if (value === null) delete headers[name.toLowerCase()];
      else headers[name.toLowerCase()] = value;
    }
    return headers;
  }

  /** Waits for at most a minute until the server has created its namespaces. */
  async ready(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const problem = await this.request("GET", "/api/v1/namespaces/default").then(
        ({ status }) => (status === 200 ? undefined : String(status)),
        String,
      );
      if (problem === undefined) return;
      if (Date.now() > deadline) throw new Error(`${this.url}: namespace default is not there: ${problem}`);
      await sleep(100);
    }
  }

  /** Returns the minor version of the server, such as `1.37`. */
  async version(): Promise<string> {
    const { body } = await this.request("GET", "/version");
    const { major, minor } = body as { major: string; minor: string };
    return `${major}.${Number.parseInt(minor, 10)}`;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.hooks.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Opens a server, with a token or with a client certificate. */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const directory = mkdtempSync(join(tmpdir(), "api-diff-"));
  process.on("exit", () => {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // A process that still ends may write into it.
    }
  });
  return new Target(options, directory, await startWebhooks(join(directory, "hooks"), options.hookCertificate));
}

const keptHeaders = ["allow", "retry-after", "www-authenticate", "location", "x-content-type-options"];

function answer(response: IncomingMessage, content: Buffer): HttpAnswer {
  const type = (response.headers["content-type"] ?? "").toLowerCase();
  const { rawHeaders } = response;
  const warnings = rawHeaders.filter((_, index) => index % 2 === 1 && /^warning$/i.test(rawHeaders[index - 1] ?? ""));
  const kept = keptHeaders.filter((name) => response.headers[name] !== undefined);
  return {
    status: response.statusCode ?? 0,
    type,
    headers: Object.fromEntries(kept.map((name) => [name, String(response.headers[name])])),
    ...(warnings.length > 0 && { warnings }),
    ...(content.length > 0 && { body: bodyOf(type, content) }),
  };
}

function bodyOf(type: string, content: Buffer): Json {
  if (/protobuf|cbor/.test(type)) return `<binary ${type.split(";")[0]}>`;
  const text = content.toString("utf8");
  if (!/json/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
