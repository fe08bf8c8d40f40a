import { readFileSync } from "node:fs";
import process from "node:process";
import type { Status } from "@kubewright/dashboard/protocol";
import { RemoteSession } from "../dev/remote.ts";
import { hasSessionProcess, runningSession, sessionPaths } from "../dev/setup/files.ts";
import { run } from "../programs/run.ts";
import { readValues } from "../yaml/values.ts";
import type { Place } from "./command.ts";
import { Failure } from "./failure.ts";

/** How long a session may take to start, in milliseconds. */
const startTime = 120_000;

/** The status of a session without its addresses. */
export type PublicStatus = Omit<Status, "kubeconfig" | "url">;

/** Whether the manager runs or can't run. Before its first start, it is stopped. */
function isStarted({ manager, errors }: PublicStatus): boolean {
  return manager.state === "running" || manager.state === "failed" || errors.length > 0;
}

/** The session of `scaffold dev` of the project: that of the person, or one that this server has started. */
export class ProjectSession {
  readonly #place: Place;
  readonly #allowed: readonly string[];
  #own: { readonly stop: AbortController; readonly ended: Promise<{ readonly stderr: string }> } | undefined;

  /**
   * @param place - the project
   * @param allowed - names of the contexts that may be used
   */
  constructor(place: Place, allowed: readonly string[]) {
    this.#place = place;
    this.#allowed = allowed;
  }

  /** Whether a session runs. */
  get isRunning(): boolean {
    return runningSession(this.#place.root) !== undefined;
  }

  /**
   * Returns the running session.
   *
   * @throws Failure if none runs, or if its cluster isn't allowed
   */
  async open(): Promise<RemoteSession> {
    return (await this.#opened()).session;
  }

  async #opened(): Promise<{ session: RemoteSession; status: Status }> {
    const session = new RemoteSession(this.#place.root);
    const status = await session.get<Status>("/api/status");
    if (status.engine === "cluster") this.checkContext(this.#context());
    return { session, status };
  }

  /** @throws Failure for a context that `--allow-cluster` doesn't name */
  checkContext(context: string): void {
    if (this.#allowed.includes(context)) return;
    throw new Failure(
      "cluster-not-allowed",
      `the context ${JSON.stringify(context)} isn't allowed`,
      `the person can allow it with a flag of the server: --allow-cluster ${context}`,
    );
  }

  /** Returns the status of the running session. */
  async status(): Promise<PublicStatus> {
    const { kubeconfig: _kubeconfig, url: _url, ...status } = (await this.#opened()).status;
    return status;
  }

  /**
   * Starts a session unless one runs, and waits until its manager has started.
   *
   * @param reset - whether a new session begins without the objects of the last one
   * @param signal - ends a session that isn't ready
   * @returns the status
   */
  async start(reset: boolean, signal: AbortSignal): Promise<PublicStatus> {
    const isNew = !this.isRunning && this.#own === undefined;
    if (isNew) this.#spawn(reset);
    try {
      return await this.#ready(signal);
    } catch (error) {
      if (isNew) await this.stop();
      throw error;
    }
  }

  async #ready(signal: AbortSignal): Promise<PublicStatus> {
    const end = Date.now() + startTime;
    let failure: Failure | undefined;
    void this.#own?.ended.then(({ stderr }) => {
      const message = /^error: (.*)$/m.exec(stderr)?.[1] ?? "scaffold dev has ended";
      failure = new Failure("session-failed", message, /^ {2}hint: (.*)$/m.exec(stderr)?.[1]);
    });
    while (Date.now() < end) {
      signal.throwIfAborted();
      // Another server or the person can have started one at the same time.
      if (failure && !hasSessionProcess(this.#place.root)) throw failure;
      if (this.isRunning) {
        const status = await this.status();
        if (isStarted(status)) return status;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Failure("session-failed", `scaffold dev isn't ready after ${startTime / 1000} s`);
  }

  /** Ends the session that this server has started. Returns whether there was one. */
  async stop(): Promise<boolean> {
    const own = this.#own;
    if (own === undefined) return false;
    this.#own = undefined;
    own.stop.abort();
    await own.ended;
    return true;
  }

  /** Lets the session that this server has started end, without waiting for it. */
  end(): void {
    this.#own?.stop.abort();
  }

  #spawn(reset: boolean): void {
    const { program, root, env } = this.#place;
    const stop = new AbortController();
    const ended = run(process.execPath, [program, "dev", "--json", ...(reset ? ["--reset"] : [])], {
      cwd: root,
      env,
      stdout: "stderr",
      stderr: "both",
      signal: stop.signal,
    });
    const own = { stop, ended };
    this.#own = own;
    void ended.then(() => {
      if (this.#own === own) this.#own = undefined;
    });
  }

  /** Returns the name of the context of the session's cluster. */
  #context(): string {
    const { kubeconfig } = sessionPaths(this.#place.root);
    const [config] = readValues(readFileSync(kubeconfig, "utf8")) as { readonly "current-context"?: string }[];
    return config?.["current-context"] ?? "";
  }
}
