import { hash } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { pathOf } from "../http/path.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { Memory } from "./memory.ts";
import { ReviewLimiter, TooManyReviewsError } from "./review-limiter.ts";

export interface AccessReviewOptions {
  transport: Transport;
  log: Logger;
}

const seconds = 1000;
/**
 * Time in milliseconds to remember an accepted token, as controller-runtime does. A revoked token is accepted no longer
 * than that.
 */
const tokenLifetime = 60 * seconds;
/** Time in milliseconds to remember a rejected token, which can become valid, for example if clocks differ. */
const refusedLifetime = 10 * seconds;
/** Time in milliseconds to remember authorizations, as controller-runtime does. */
const allowedLifetime = 300 * seconds;
const deniedLifetime = 30 * seconds;
/** Time in milliseconds for which an accepted token has its own budget, so that it is also reviewed during an attack. */
const knownLifetime = 3600 * seconds;
/**
 * Maximum size of a token in bytes. Service account tokens have 1 to 2 KiB; those of identity providers with many
 * groups up to 8 KiB.
 */
const maxTokenSize = 16 * 1024;
/** Retry-After in seconds of responses to excess callers. */
const retryAfter = 1;
/** Entries per cache. Each contains a hash and, for accepted tokens, the user with its groups. */
const maxEntries = 1000;

interface User {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** The sender of a request that is reviewed. */
interface Caller {
  address: string;
  /** Whether its token was accepted before. */
  isKnown: boolean;
}

/**
 * Admits callers that the API server authenticates (TokenReview) and authorizes (SubjectAccessReview). Results are
 * cached by hashes, so that neither tokens nor long paths stay in memory. Rejected tokens have a separate cache, so
 * that they can't evict others.
 */
export class AccessReview {
  readonly #options: AccessReviewOptions;
  readonly #users = new Memory<User>(maxEntries);
  readonly #refused = new Memory<undefined>(maxEntries);
  readonly #known = new Memory<true>(maxEntries);
  readonly #allowed = new Memory<boolean>(maxEntries);
  readonly #denied = new Memory<boolean>(maxEntries);
  readonly #limiter = new ReviewLimiter();
  /** Reviews in progress, by the hash of their subject. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: AccessReviewOptions) {
    this.#options = options;
  }

  /**
   * Protects a listener.
   *
   * @param listener - receives the requests of authorized callers
   * @returns a listener that responds to others with 401 (not authenticated), 403 (not authorized), 429 (too many
   * reviews) or 500 (the API server can't be reached)
   */
  protect(listener: RequestListener): RequestListener {
    return async (request, response) => {
      const status = await this.#review(request);
      if (status === 200) {
        await (listener(request, response) as unknown);
        return;
      }
      if (status === 429) response.setHeader("Retry-After", retryAfter);
      // Unauthorized callers have to reconnect, which is rate-limited.
      response.setHeader("Connection", "close");
      response.writeHead(status).end(`${refusals[status]}\n`);
    };
  }

  async #review(request: IncomingMessage): Promise<200 | keyof typeof refusals> {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (!token || token.length > maxTokenSize) return 401;
    try {
      const key = hash("sha256", token, "base64");
      const caller = { address: request.socket.remoteAddress ?? "", isKnown: this.#known.get(key) !== undefined };
      const user = await this.#userOf(token, key, caller);
      if (!user) return 401;
      if (!(await this.#isAllowed(user, request, caller))) return 403;
      this.#known.set(key, true, knownLifetime);
      return 200;
    } catch (error) {
      if (error instanceof TooManyReviewsError) return 429;
      this.#options.log.error(error, "Authentication or authorization of a metrics request failed");
      return 500;
    }
  }

  async #userOf(token: string, key: string, caller: Caller): Promise<User | undefined> {
    const cached = this.#users.get(key) ?? this.#refused.get(key);
    if (cached) return cached.value;
    return this.#once(`token ${key}`, caller, async () => {
      const status = await this.#ask("/apis/authentication.k8s.io/v1/tokenreviews", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token },
      });
      if (status.authenticated !== true) {
        this.#refused.set(key, undefined, refusedLifetime);
        return undefined;
      }
      const user = (status.user ?? {}) as User;
      this.#users.set(key, user, tokenLifetime);
      return user;
    });
  }

  async #isAllowed(user: User, request: IncomingMessage, caller: Caller): Promise<boolean> {
    const path = pathOf(request.url);
    const verb = (request.method ?? "GET").toLowerCase();
    const { username, uid, groups, extra } = user;
    const key = hash("sha256", JSON.stringify([username, uid, groups, extra, verb, path]), "base64");
    const cached = this.#allowed.get(key) ?? this.#denied.get(key);
    if (cached) return cached.value;
    return this.#once(`access ${key}`, caller, async () => {
      const status = await this.#ask("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user: username, uid, groups, extra, nonResourceAttributes: { path, verb } },
      });
      const isAllowed = status.allowed === true;
      if (isAllowed) this.#allowed.set(key, true, allowedLifetime);
      else this.#denied.set(key, false, deniedLifetime);
      return isAllowed;
    });
  }

  /** Shares one review among all concurrent requests for it. */
  #once<T>(key: string, caller: Caller, review: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key) as Promise<T> | undefined;
    if (running) return running;
    const started = this.#limiter.run(caller, review).finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  async #ask(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await this.#options.transport.request({ method: "POST", path, body, timeout: 10 * seconds });
    return (answer.body as { status?: Record<string, unknown> } | undefined)?.status ?? {};
  }
}

const refusals = {
  401: "Unauthorized",
  403: "Forbidden",
  429: "Too many callers must be authenticated",
  500: "Authentication failed",
} as const;
