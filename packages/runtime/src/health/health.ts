import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { pathOf, queryOf } from "../http/path.ts";
import { errorText } from "../log/error-text.ts";
import type { Logger } from "../log/logger.ts";

/**
 * Checks the health of the process. It passes by returning and fails by throwing.
 *
 * @param request - the request of the probe
 */
export type HealthCheck = (request: IncomingMessage) => void | Promise<void>;

/** Always passes, because the process responds. */
export const ping: HealthCheck = () => {};

/** Serves named checks under a path such as `/healthz`, and each one under `/healthz/<name>`. */
export class HealthChecks {
  readonly #path: string;
  readonly #checks = new Map<string, HealthCheck>();
  readonly #log: Logger;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Answers a request for the path or a path below it. Returns `false` for other paths. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = pathOf(request.url);
    if (path !== this.#path && !path.startsWith(`${this.#path}/`)) return false;
    const name = path.slice(this.#path.length + 1);
    if (name === "") await this.#all(request, response, queryOf(request.url));
    else await this.#one(name, request, response);
    return true;
  }

  async #all(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    const excluded = new Set(query.getAll("exclude"));
    const lines: string[] = [];
    let failed = false;
    for (const [name, check] of this.#checks) {
      if (excluded.delete(name)) {
        lines.push(`[+]${name} excluded: ok`);
        continue;
      }
      const error = await run(check, request);
      if (error === undefined) lines.push(`[+]${name} ok`);
      else {
        failed = true;
        this.#log.info("healthz check failed", { checker: name, error });
        lines.push(`[-]${name} failed: reason withheld`);
      }
    }
    for (const name of excluded) lines.push(`warn: ${name} is excluded, but no check has this name`);
    const path = this.#path.slice(1);
    if (failed) send(response, 500, `${lines.join("\n")}\n${path} check failed\n`);
    else send(response, 200, query.has("verbose") ? `${lines.join("\n")}\n${path} check passed\n` : "ok");
  }

  async #one(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const check = this.#checks.get(name);
    if (!check) return send(response, 404, `no check has the name ${name}\n`);
    const error = await run(check, request);
    if (error === undefined) send(response, 200, "ok");
    else send(response, 500, `internal server error: ${error}\n`);
  }
}

/** Serves several groups of checks. */
export function healthListener(groups: readonly HealthChecks[]): RequestListener {
  return async (request, response) => {
    for (const group of groups) if (await group.handle(request, response)) return;
    send(response, 404, "404 page not found\n");
  };
}

async function run(check: HealthCheck, request: IncomingMessage): Promise<string | undefined> {
  try {
    await check(request);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  response.writeHead(status, headers).end(text);
}
