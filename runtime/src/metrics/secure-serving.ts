import { readFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import type { ServerOptions } from "node:https";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Logger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";

export interface SecureServingOptions {
  certDir?: string;
  certName?: string;
  keyName?: string;
  transport: Transport;
  log: Logger;
}

const rereadEvery = 10_000;
const tokenLifetime = 60_000;
const allowedLifetime = 300_000;
const deniedLifetime = 30_000;
const maxRemembered = 1000;

interface User {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** HTTPS for callers whom the API server knows and allows: TokenReview says who asks, SubjectAccessReview whether he may. */
export class SecureServing {
  readonly #options: SecureServingOptions;
  readonly #certDir: string;
  readonly #users = new Memory<User | undefined>();
  readonly #verdicts = new Memory<boolean>();
  #context: SecureContext | undefined;
  #pair = "";

  constructor(options: SecureServingOptions) {
    if (!options.certDir) {
      throw new Error(
        "metrics.secureServing needs metrics.certDir: certificates of the manager's own making are not supported yet",
      );
    }
    this.#options = options;
    this.#certDir = options.certDir;
  }

  /** Loads the certificate, and looks for a new one until the signal aborts. Rejects when there is none to begin with. */
  async tls(signal: AbortSignal): Promise<ServerOptions> {
    await this.#load();
    const timer = setInterval(() => {
      // The old pair serves on while files are half written.
      this.#load().catch((error: unknown) => this.#options.log.error(error, "error re-reading certificate"));
    }, rereadEvery).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    const [cert, key] = await this.#read();
    return { cert, key, SNICallback: (_name, done) => done(null, this.#context) };
  }

  /** 401 for who isn't known, 403 for who may not, 500 when the API server can't be asked. */
  protect(listener: RequestListener): RequestListener {
    return async (request, response) => {
      try {
        const user = await this.#userOf(request);
        if (!user) return void response.writeHead(401).end("Unauthorized\n");
        if (!(await this.#isAllowed(user, request))) return void response.writeHead(403).end("Forbidden\n");
      } catch (error) {
        this.#options.log.error(error, "Authentication or authorization of a metrics request failed");
        return void response.writeHead(500).end("Authentication failed\n");
      }
      await listener(request, response);
    };
  }

  async #load(): Promise<void> {
    const [cert, key] = await this.#read();
    if (this.#pair === cert + key) return;
    this.#context = createSecureContext({ cert, key });
    this.#pair = cert + key;
  }

  #read(): Promise<[string, string]> {
    const { certName = "tls.crt", keyName = "tls.key" } = this.#options;
    return Promise.all([
      readFile(join(this.#certDir, certName), "utf8"),
      readFile(join(this.#certDir, keyName), "utf8"),
    ]);
  }

  async #userOf(request: IncomingMessage): Promise<User | undefined> {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (!token) return undefined;
    const known = this.#users.get(token);
    if (known) return known.value;
    const status = await this.#ask("/apis/authentication.k8s.io/v1/tokenreviews", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token },
    });
    const user = status.authenticated === true ? (status.user as User) : undefined;
    this.#users.set(token, user, tokenLifetime);
    return user;
  }

  async #isAllowed(user: User, request: IncomingMessage): Promise<boolean> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const verb = (request.method ?? "GET").toLowerCase();
    const key = JSON.stringify([user, verb, path]);
    const known = this.#verdicts.get(key);
    if (known) return known.value;
    const { username, uid, groups, extra } = user;
    const status = await this.#ask("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: username, uid, groups, extra, nonResourceAttributes: { path, verb } },
    });
    const allowed = status.allowed === true;
    this.#verdicts.set(key, allowed, allowed ? allowedLifetime : deniedLifetime);
    return allowed;
  }

  async #ask(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await this.#options.transport.request({ method: "POST", path, body, timeout: 10_000 });
    return (answer.body as { status?: Record<string, unknown> } | undefined)?.status ?? {};
  }
}

/** Remembers answers for a while, and not too many of them. */
class Memory<T> {
  readonly #entries = new Map<string, { value: T; until: number }>();

  get(key: string): { value: T } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > performance.now()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, lifetime: number): void {
    if (this.#entries.size >= maxRemembered) {
      const oldest = this.#entries.keys().next().value;
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: performance.now() + lifetime });
  }
}
