import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../host/package-root.ts";

/** The exit code or signal of an ended server. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running server. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process has exited. */
  readonly exited: Promise<Exit>;
  /** Set after the process has exited. */
  readonly exit: Exit | undefined;
  signal(name: NodeJS.Signals): void;
}

export interface StartServer {
  command: string;
  args: readonly string[];
  /** File to append the output to. Without it, the output is attached to that of this process. */
  log?: string;
}

/**
 * The parent process of all servers of one environment. When this process ends, the supervisor kills the servers and removes
 * their directory.
 */
export interface Supervisor {
  start(server: StartServer): Promise<ServerProcess>;
  /** Kills running servers, removes the directory and ends the supervisor. */
  end(): Promise<void>;
}

interface Answer {
  id: number;
  event: "started" | "error" | "exited";
  pid?: number;
  message?: string;
  code?: number | null;
  signal?: NodeJS.Signals | null;
}

interface Entry {
  started(process: ServerProcess): void;
  failed(error: Error): void;
  process?: ServerProcess & { exit: Exit | undefined };
  gone(exit: Exit): void;
}

const END_TIMEOUT = 10_000;

/** Starts a supervisor for servers in `directory`, which it removes at the end. */
export function createSupervisor(directory: string): Supervisor {
  const script = join(packageRoot(), "bin", "envtest-supervisor.js");
  const child = spawn(process.execPath, [script, directory], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: withoutNodeOptions(),
  });
  // Allows a program that doesn't stop its environment to exit; the supervisor then cleans up.
  child.unref();
  child.channel?.unref();
  const entries = new Map<number, Entry>();
  const ended = new Promise<void>((resolve) => {
    const gone = (why: string): void => {
      for (const entry of entries.values()) {
        entry.failed(new Error(`the supervisor of the test servers ${why}`));
        // Without the supervisor, this process must end the servers.
        if (entry.process && !entry.process.exit) killGroup(entry.process.pid);
      }
      resolve();
    };
    child.once("exit", () => gone("is gone"));
    child.once("error", (error) => gone(`can't be started: ${error.message}`));
  });
  child.on("message", (message) => receive(entries, message as Answer, child));

  let next = 0;
  return {
    start(server) {
      const id = next++;
      const { promise, resolve, reject } = withResolvers<ServerProcess>();
      const exited = withResolvers<Exit>();
      entries.set(id, { started: resolve, failed: reject, gone: exited.resolve });
      exitOf.set(entries.get(id) as Entry, exited.promise);
      if (!child.connected) reject(new Error("the supervisor of the test servers has ended"));
      else child.send({ do: "start", id, ...server });
      return holdOpen(promise);
    },
    async end() {
      if (child.connected) child.send({ do: "end" });
      const timer = setTimeout(() => child.kill("SIGKILL"), END_TIMEOUT);
      await ended;
      clearTimeout(timer);
    },
  };
}

const exitOf = new WeakMap<Entry, Promise<Exit>>();

function receive(entries: Map<number, Entry>, answer: Answer, child: ChildProcess): void {
  const entry = entries.get(answer.id);
  if (!entry) return;
  if (answer.event === "started") {
    entry.process = {
      pid: answer.pid ?? 0,
      exited: exitOf.get(entry) as Promise<Exit>,
      exit: undefined,
      signal: (signal) => void (child.connected && child.send({ do: "signal", id: answer.id, signal })),
    };
    entry.started(entry.process);
  } else if (answer.event === "error") {
    entry.failed(new Error(answer.message));
  } else {
    const exit = { code: answer.code ?? null, signal: answer.signal ?? null };
    if (entry.process) entry.process.exit = exit;
    entry.gone(exit);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The process group has already ended.
  }
}

// The supervisor must not use the loaders and inspectors of the test process.
function withoutNodeOptions(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}

/** Keeps this process running while it waits for the supervisor, because the supervisor's channel doesn't. */
export async function holdOpen<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: Error): void } {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
