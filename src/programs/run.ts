import { setMaxListeners } from "node:events";
import process from "node:process";

/** Options of {@link run}. */
export interface RunOptions {
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text for stdin. By default, stdin is empty. */
  readonly input?: string;
  /** Whether the program reads the terminal, if it has no `input`. */
  readonly interactive?: boolean;
  /** Destination of stdout, which is returned by default. With `both`, it is also printed on stderr while the program runs. */
  readonly stdout?: "return" | "inherit" | "stderr" | "both";
  /** Destination of stderr, as for stdout. */
  readonly stderr?: "return" | "inherit" | "both";
  /** Directory in whose `node_modules/.bin` the program is searched first, and in those of its parents. */
  readonly localDir?: string;
  /** Kills the program, or calls `onAbort`. */
  readonly signal?: AbortSignal;
  /**
   * Returns the signal that the program gets when `signal` aborts, or undefined for none. The program then decides itself when it
   * ends.
   */
  readonly onAbort?: () => NodeJS.Signals | undefined;
  /** Maximum duration in milliseconds. The default is unlimited. */
  readonly timeout?: number;
  /** The signal that kills the program. SIGKILL follows 5 s after another one. */
  readonly killSignal?: NodeJS.Signals;
  /** Time between the signal and SIGKILL in milliseconds. */
  readonly killDelay?: number;
  /** Maximum length of stdout and of stderr, in characters, at which the program is killed. */
  readonly maxOutput?: number;
  /** Called with each message of a Node.js program, which has a channel to this process, and a function that answers it. */
  readonly onMessage?: (message: unknown, answer: (message: object) => void) => void;
}

/** The end of a program. */
export interface ProgramEnd {
  /** Empty if it isn't returned. */
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the program couldn't be started, was killed, or has another exit code than 0. */
  readonly failed: boolean;
  readonly exitCode?: number;
  readonly notFound: boolean;
  /** Whether the abort signal has killed it. */
  readonly isCanceled: boolean;
  /** Whether it was killed because of `maxOutput`. The output is its beginning. */
  readonly isTooLong: boolean;
  /** How it ended, such as `exit code 1` or `SIGTERM`. */
  readonly how: string;
  /** How it ended, with its command line, for errors. */
  readonly message: string;
}

/**
 * Runs a program and waits for its end. It never throws because of the program.
 *
 * @param program - its name or path
 * @param args - the arguments, which no shell reads
 * @param options - its directory, environment, input and limits
 * @returns the end of the program
 */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<ProgramEnd> {
  // Most commands run no programs.
  const { execa } = await import("execa");
  const { input, localDir, signal, onAbort, onMessage, stdout = "return", stderr = "return" } = options;
  const outputs = {
    return: "pipe",
    inherit: "inherit",
    stderr: process.stderr,
    both: ["pipe", process.stderr],
  } as const;
  // Any number of programs may run at the same time. Node.js warns about more than ten listeners.
  if (signal) setMaxListeners(0, signal);
  const child = execa(program, args, {
    cwd: options.cwd,
    env: { ...options.env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: options.interactive ? ("inherit" as const) : ("ignore" as const) } : { input }),
    stdout: outputs[stdout],
    stderr: outputs[stderr],
    ...(localDir === undefined ? {} : { preferLocal: true, localDir }),
    ...(signal && !onAbort ? { cancelSignal: signal } : {}),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.killSignal === undefined ? {} : { killSignal: options.killSignal }),
    ...(options.maxOutput === undefined ? {} : { maxBuffer: options.maxOutput }),
    ...(options.killDelay === undefined ? {} : { forceKillAfterDelay: options.killDelay }),
    ...(onAbort ? { forceKillAfterDelay: false as const } : {}),
    ...(onMessage ? { ipc: true } : {}),
  });
  const relay = (): void => {
    const name = onAbort?.();
    if (name !== undefined) child.kill(name);
  };
  if (signal?.aborted) relay();
  else signal?.addEventListener("abort", relay, { once: true });
  if (onMessage) child.on("message", (message) => onMessage(message, (answer) => child.send(answer)));
  const end = await child;
  signal?.removeEventListener("abort", relay);
  const { exitCode, failed } = end;
  return {
    stdout: typeof end.stdout === "string" ? end.stdout : "",
    stderr: typeof end.stderr === "string" ? end.stderr : "",
    failed,
    ...(exitCode === undefined ? {} : { exitCode }),
    notFound: end.code === "ENOENT",
    isCanceled: end.isCanceled,
    isTooLong: end.isMaxBuffer,
    how: end.signal ?? (exitCode === undefined ? (end.originalMessage ?? "an error") : `exit code ${exitCode}`),
    message: end.shortMessage ?? "",
  };
}
