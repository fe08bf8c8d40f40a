import type { Failure } from "@kubewright/dashboard/protocol";
import { ProblemError } from "../project/problem-error.ts";
import { runningSession } from "./setup/files.ts";

const answerTime = 15_000;

/** Uses the running session of a project from another process. */
export class RemoteSession {
  readonly #url: string;
  readonly #token: string;

  /** @throws ProblemError if no session runs */
  constructor(root: string) {
    const file = runningSession(root);
    if (!file) {
      throw new ProblemError(
        "no-session",
        "no session of scaffold dev runs in this project",
        "start one: npx scaffold dev",
      );
    }
    this.#url = file.url;
    this.#token = file.token;
  }

  get<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    return this.#send<T>("GET", search === "" ? path : `${path}?${search}`);
  }

  post<T>(path: string, body: object = {}): Promise<T> {
    return this.#send<T>("POST", path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.#send<T>("DELETE", path);
  }

  async #send<T>(method: string, path: string, body?: object): Promise<T> {
    let response: Response;
    try {
      response = await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerTime),
      });
    } catch {
      throw new ProblemError(
        "no-session",
        "the session of scaffold dev doesn't answer",
        "restart it: npx scaffold dev",
      );
    }
    const answer = (await response.json().catch(() => ({ error: response.statusText }))) as T | Failure;
    if (response.ok) return answer as T;
    const { error, hint } = answer as Failure;
    throw new ProblemError("session-failed", error, hint);
  }
}
