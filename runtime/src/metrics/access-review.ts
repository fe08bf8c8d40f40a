import type { IncomingMessage, RequestListener } from "node:http";
import { pathOf } from "../http/path.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { Memory } from "./memory.ts";

export interface AccessReviewOptions {
  transport: Transport;
  log: Logger;
}

const tokenLifetime = 60_000;
const allowedLifetime = 300_000;
const deniedLifetime = 30_000;

interface User {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** Lets callers through whom the API server knows and allows: TokenReview says who asks, SubjectAccessReview whether he may. */
export class AccessReview {
  readonly #options: AccessReviewOptions;
  readonly #users = new Memory<User | undefined>();
  readonly #verdicts = new Memory<boolean>();

  constructor(options: AccessReviewOptions) {
    this.#options = options;
  }

  /** 401 for who isn't known, 403 for who may not, 500 when the API server can't be asked. */
  protect(listener: RequestListener): RequestListener {
    return async (request, response) => {
      const status = await this.#review(request);
      if (status === 200) await (listener(request, response) as unknown);
      else response.writeHead(status).end(`${refusals[status]}\n`);
    };
  }

  async #review(request: IncomingMessage): Promise<200 | keyof typeof refusals> {
    try {
      const user = await this.#userOf(request);
      if (!user) return 401;
      return (await this.#isAllowed(user, request)) ? 200 : 403;
    } catch (error) {
      this.#options.log.error(error, "Authentication or authorization of a metrics request failed");
      return 500;
    }
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
    const path = pathOf(request.url);
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

const refusals = { 401: "Unauthorized", 403: "Forbidden", 500: "Authentication failed" } as const;
