import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { ActiveFault, Fault, InspectMessage } from "@kubewright/dashboard/protocol";
import { held, startMessage } from "../build/hold.ts";
import type { OfferedWebhooks } from "../client/packages.ts";
import { eachLine } from "./lines.ts";

/** Time in milliseconds for a manager to stop, after which it is killed. */
const stopTime = 6000;
/** Time in milliseconds for an answer of the manager. */
const answerTime = 3000;

/** How the manager ended. */
export interface ManagerEnd {
  readonly pid: number;
  /** Such as `exit code 1` or `SIGKILL`. */
  readonly how: string;
  /** Whether the session stopped it. */
  readonly expected: boolean;
  /** The last lines of its output. */
  readonly output: readonly string[];
}

/** Events of a manager. */
export interface ManagerEvents {
  onMessage(message: InspectMessage, process: ManagerProcess): void;
  /** Receives all faults that still have an effect, when they change. */
  onFaults(faults: readonly ActiveFault[], process: ManagerProcess): void;
  /** Receives the webhooks of the manager, which waits for {@link ManagerProcess.answerWebhooks}. */
  onWebhooks(webhooks: OfferedWebhooks, process: ManagerProcess): void;
  onLine(line: string, process: ManagerProcess): void;
  onEnd(end: ManagerEnd, process: ManagerProcess): void;
}

/** The manager ended before it has answered. */
export class EndedError extends Error {
  constructor() {
    super("the manager has ended");
  }
}

/** The manager hasn't answered in time, and may still do what was requested. */
export class LateError extends Error {
  constructor() {
    super("the manager doesn't answer");
  }
}

interface Call {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

const keptLines = 50;
const keptLength = 10_000;

/** A running manager, which reports its work over a channel. */
export class ManagerProcess {
  readonly pid: number;
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, Call>();
  readonly #last: string[] = [];
  #callId = 0;
  #isStarted = false;
  #isStopping = false;
  /** Whether the manager has sent a message: its runtime has the option `inspect`. */
  isInspected = false;

  /**
   * Creates the process of a manager. Its code runs after {@link start}.
   *
   * @param bundle - path of the bundle
   * @param args - flags of the manager
   * @param options - its directory, environment and first state
   * @param events - called until its end
   */
  constructor(
    bundle: string,
    args: readonly string[],
    options: {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string | undefined>>;
      /** Whether it starts without reconciling. */
      readonly isPaused: boolean;
      /** File with the keys of its webhooks; unset if the session doesn't configure the cluster to call them. */
      readonly webhookKeys: string | undefined;
      /** Its identity in a lease; unset for one that it chooses. */
      readonly identity: string | undefined;
    },
    events: ManagerEvents,
  ) {
    this.#child = spawn(process.execPath, [bundle, ...args], {
      cwd: options.cwd,
      env: {
        ...options.env,
        ...held,
        KUBEWRIGHT_INSPECT: "parent",
        KUBEWRIGHT_INSPECT_WEBHOOKS: options.webhookKeys === undefined ? undefined : "true",
        KUBEWRIGHT_INSPECT_WEBHOOK_KEYS: options.webhookKeys,
        KUBEWRIGHT_INSPECT_PAUSED: options.isPaused ? "true" : undefined,
        KUBEWRIGHT_INSPECT_IDENTITY: options.identity,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // In its own process group: on Ctrl-C it receives only the signal from here, and can shut down gracefully.
      detached: process.platform !== "win32",
      serialization: "json",
    });
    this.pid = this.#child.pid ?? 0;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      eachLine(stream, (line) => {
        this.#last.push(line.slice(0, keptLength));
        if (this.#last.length > keptLines) this.#last.shift();
        events.onLine(line, this);
      });
    }
    // Lines that were written before a message come first. Messages that arrive while others are read can be read before
    // such lines, so all streams are read once more: between the first immediate and the second.
    this.#child.on("message", (received) => setImmediate(() => setImmediate(() => this.#receive(received, events))));
    this.ended = new Promise((resolve) => {
      let isEnded = false;
      const end = (how: string) => {
        if (isEnded) return;
        isEnded = true;
        for (const { reject, timer } of this.#calls.values()) {
          clearTimeout(timer);
          reject(new EndedError());
        }
        this.#calls.clear();
        events.onEnd({ pid: this.pid, how, expected: this.#isStopping, output: this.#last }, this);
        resolve();
      };
      this.#child.once("error", (error) => end(error.message));
      // After its output was read, and its messages were received.
      this.#child.once("close", (code, signal) =>
        setImmediate(() => setImmediate(() => end(signal ?? `exit code ${code}`))),
      );
    });
  }

  /**
   * Starts the manager's code.
   *
   * @param faults - the faults that it begins with
   */
  start(faults: readonly Fault[] = []): void {
    const message = startMessage({ KUBEWRIGHT_INSPECT_FAULTS: JSON.stringify(faults) });
    if (this.#child.connected) this.#child.send(message, () => undefined);
    this.#isStarted = true;
  }

  /**
   * Stops the manager gracefully, and kills it if that takes too long.
   *
   * @param how - whether to kill it at once
   */
  async stop({ now = false } = {}): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      this.#child.kill(this.#isStarted && !now ? "SIGTERM" : "SIGKILL");
    }
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), stopTime);
    await this.ended;
    clearTimeout(timer);
  }

  /**
   * Sends a request to the manager's inspector.
   *
   * @throws Error if the manager doesn't answer or refuses it
   */
  call<T>(call: { readonly call: string } & Readonly<Record<string, unknown>>): Promise<T> {
    if (!this.isInspected) {
      return Promise.reject(
        new Error("the manager doesn't report its work: it isn't running, or its runtime is too old"),
      );
    }
    if (!this.#child.connected) return this.#end();
    const id = ++this.#callId;
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#calls.delete(id);
        reject(new LateError());
      }, answerTime);
      this.#calls.set(id, { resolve: (answer) => resolve(answer as T), reject, timer });
      this.#child.send({ kubewright: "inspect", id, ...call }, () => undefined);
    });
  }

  /** The answer of a manager that ends: its channel is closed before the process is gone. */
  async #end(): Promise<never> {
    const isLate = await Promise.race([this.ended, sleep(stopTime + answerTime, true, { ref: false })]);
    throw isLate ? new LateError() : new EndedError();
  }

  /**
   * Lets the manager continue after it has offered its webhooks.
   *
   * @param about - why the cluster can't call them, or the session whose configuration the manager must restore if this
   * process is killed
   */
  answerWebhooks(about: { readonly error?: string; readonly restore?: string }): void {
    const answer = { kubewright: "webhooks", ...about };
    if (this.#child.connected) this.#child.send(answer, () => undefined);
  }

  #receive(received: unknown, events: ManagerEvents): void {
    const { kubewright, message, faults, webhooks, id, answer, error } = (received ?? {}) as {
      kubewright?: string;
      message?: InspectMessage;
      faults?: readonly ActiveFault[];
      webhooks?: OfferedWebhooks;
      id?: number;
      answer?: unknown;
      error?: string;
    };
    if (kubewright === "webhooks" && webhooks) events.onWebhooks(webhooks, this);
    // The manager's own code can use the channel, too.
    if (kubewright !== "inspect") return;
    this.isInspected = true;
    if (message) events.onMessage(message, this);
    if (faults) events.onFaults(faults, this);
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (!call || id === undefined) return;
    this.#calls.delete(id);
    clearTimeout(call.timer);
    if (error === undefined) call.resolve(answer);
    else call.reject(new Error(error));
  }
}

/**
 * Kills a manager when its session is gone, within a second. Only for a manager that blocks its event loop: others end
 * themselves when they lose the connection to the session. Does nothing on Windows, which has no shell for it.
 *
 * @param session - process id of the session
 * @param manager - process id of the manager
 */
export function killAfter(session: number, manager: number): void {
  if (process.platform === "win32") return;
  const script = 'while kill -0 "$1" && kill -0 "$2"; do sleep 1; done; kill -0 "$1" || kill -9 "$2"';
  const child = spawn("/bin/sh", ["-c", script, "sh", String(session), String(manager)], {
    stdio: "ignore",
    // Ctrl-C and the end of the terminal must not reach it.
    detached: true,
  });
  // Without a shell, the manager remains as before.
  child.once("error", () => {});
  child.unref();
}
