import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../package-root.ts";

/** How a server ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One running server. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly exited: Promise<Exit>;
  /** Set once the process is gone. */
  readonly exit: Exit | undefined;
  signal(name: NodeJS.Signals): void;
}

export interface StartServer {
  command: string;
  args: readonly string[];
  /** File that the output is added to; without one it goes where this process' own output goes. */
  log?: string;
}

/**
 * The parent of all servers of one environment: a process of its own that kills them and removes their directory as
 * soon as this process is gone.
 */
export interface Supervisor {
  start(server: StartServer): Promise<ServerProcess>;
  /** Kills what still runs, removes the directory, ends the supervisor. */
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

/** Starts a supervisor whose servers run in `directory`, which it removes at the end. */
export function createSupervisor(directory: string): Supervisor {
  const script = join(packageRoot(), "bin", "envtest-supervisor.js");
  const child = spawn(process.execPath, [script, directory], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: withoutNodeOptions(),
  });
  // A program that forgets to stop its environment still ends; the supervisor cleans up then.
  child.unref();
  child.channel?.unref();
  const entries = new Map<number, Entry>();
  const ended = new Promise<void>((resolve) => {
    const gone = (why: string): void => {
      for (const entry of entries.values()) {
        entry.failed(new Error(`the supervisor of the test servers ${why}`));
        // Without its parent nobody else ends the server.
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
    // Gone already.
  }
}

// Loaders and inspectors of the test process have no business in the supervisor.
function withoutNodeOptions(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}

/** Waits for what a supervisor tells: its channel doesn't hold this process open, so waiting has to. */
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
