import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { TaskError } from "./task-error.ts";

/** How to run a program. */
export interface ProgramOptions {
  /** Text for its standard input. */
  readonly input?: string;
  /** Whether its stdout is progress, which belongs on stderr. Otherwise it is the result of the command. */
  readonly progress?: boolean;
  /** Whether to run it even after an interrupt, to remove what an earlier step created. */
  readonly cleanup?: boolean;
  /** The hint if the program is missing. */
  readonly install?: string;
}

/** Runs the steps of a task: programs, writes, and other work. In a dry run it only records them. */
export interface Runner {
  readonly dryRun: boolean;
  /** The steps so far, as command lines, and `write` or `delete` with a path. */
  readonly steps: readonly string[];
  /** Runs a program. @throws TaskError if it fails or is missing */
  run(program: string, args: readonly string[], options?: ProgramOptions): Promise<void>;
  /** Runs a program and returns its stdout, or an empty string in a dry run. @throws TaskError if it fails or is missing */
  capture(program: string, args: readonly string[], options?: ProgramOptions): Promise<string>;
  /** Runs a program that changes nothing, even in a dry run. Returns its stdout, or undefined if it fails. */
  probe(program: string, args: readonly string[]): Promise<string | undefined>;
  /** Runs the manager until it exits. @throws TaskError with its exit code if it fails */
  runManager(args: readonly string[]): Promise<void>;
  /** Does work inside of this process. */
  step(line: string, work: () => Promise<void>): Promise<void>;
  /** Writes a file in `dist/`, or one that is deleted again. */
  write(path: string, text: string): void;
  delete(path: string): void;
}

/** The part of the process that a runner needs. */
export interface RunnerInput {
  /** The directory of the project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dryRun: boolean;
  /** Whether stdout is reserved for a JSON object. */
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** Whether the interrupt was typed in a terminal, which sends it to the started programs too. */
  isTyped(): boolean;
  /** Prints a step before it starts, with `--verbose`. */
  detail(line: string): void;
}

interface Ended {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly missing: boolean;
  readonly reason: string;
  readonly stdout: string;
}

/** Creates a runner. Programs are searched in `node_modules/.bin` of the project and of its parent directories, then in PATH. */
export function createRunner(input: RunnerInput): Runner {
  const { root, env, dryRun, json, signal, detail } = input;
  const steps: string[] = [];

  const begin = (line: string, cleanup = false): boolean => {
    if (signal.aborted && !cleanup) throw interrupted();
    steps.push(line);
    if (!dryRun) detail(line);
    return !dryRun;
  };

  const call = async (program: string, args: readonly string[], how: ProgramOptions & How): Promise<Ended> => {
    const { execa } = await import("execa");
    const child = execa(program, args, {
      cwd: root,
      env: { ...env },
      extendEnv: false,
      preferLocal: true,
      localDir: root,
      reject: false,
      forceKillAfterDelay: false,
      stripFinalNewline: false,
      // In its own process group, the manager receives only the signals that are sent to it here.
      detached: how.manager === true && process.platform !== "win32",
      ...(how.input === undefined ? { stdin: how.capture === true ? "ignore" : "inherit" } : { input: how.input }),
      stdout: how.capture === true ? "pipe" : json || how.progress === true ? process.stderr : "inherit",
      stderr: how.quiet === true ? "ignore" : "inherit",
    });
    const stop =
      how.cleanup === true
        ? undefined
        : () => {
            if (how.manager === true) relaySignals(child, signal);
            else if (!input.isTyped()) child.kill("SIGTERM");
          };
    if (stop !== undefined) signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop?.();
    const end = await child;
    if (stop !== undefined) signal.removeEventListener("abort", stop);
    return {
      exitCode: end.failed ? end.exitCode : 0,
      signal: end.signal,
      missing: end.code === "ENOENT",
      reason: end.originalMessage ?? "",
      stdout: typeof end.stdout === "string" ? end.stdout : "",
    };
  };

  const mustCall = async (program: string, args: readonly string[], how: ProgramOptions & How): Promise<string> => {
    const line = commandLine(program, args);
    if (!begin(line, how.cleanup)) return "";
    const { exitCode, signal: killed, missing, reason, stdout } = await call(program, args, how);
    if (signal.aborted && how.cleanup !== true) throw interrupted();
    if (exitCode === 0) return stdout;
    if (missing) {
      const hint = how.install ?? `install ${program}, or set the variable of the program (see --help)`;
      throw new TaskError("program-missing", `can't run ${program}: no program with this name found in PATH`, { hint });
    }
    const why = exitCode !== undefined ? `exit code ${exitCode}` : (killed ?? reason);
    throw new TaskError("program-failed", `${line} failed with ${why}`);
  };

  return {
    dryRun,
    steps,
    run: async (program, args, options = {}) => void (await mustCall(program, args, options)),
    capture: (program, args, options = {}) => mustCall(program, args, { ...options, capture: true }),
    async probe(program, args) {
      const { exitCode, stdout } = await call(program, args, { capture: true, quiet: true });
      return exitCode === 0 ? stdout : undefined;
    },
    async runManager(args) {
      if (!begin(commandLine("node", args))) return;
      const { exitCode, signal: killed } = await call(process.execPath, args, { manager: true });
      if (exitCode === 0) return;
      if (signal.aborted || killed !== undefined) {
        throw new TaskError("interrupted", "interrupted: the manager was stopped", { exitCode: 130 });
      }
      throw new TaskError("run-failed", `the manager failed with exit code ${exitCode}`, { exitCode });
    },
    async step(line, work) {
      if (begin(line)) await work();
    },
    write(path, text) {
      if (!begin(`write ${path}`)) return;
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    delete(path) {
      if (begin(`delete ${path}`, true)) rmSync(join(root, path), { force: true });
    },
  };
}

interface How {
  readonly capture?: boolean;
  readonly quiet?: boolean;
  readonly manager?: boolean;
}

/** Within this time, a second signal belongs to the same Ctrl-C: npm forwards the signal that the terminal has already sent. */
const sameSignalMilliseconds = 500;

/** Sends the signal of an interrupt to the manager once. A later one forces the manager to exit immediately. */
function relaySignals(child: { kill(signal: NodeJS.Signals): boolean }, { reason }: AbortSignal): void {
  const by: unknown = reason?.by;
  child.kill(typeof by === "string" && by in constants.signals && by !== "SIGHUP" ? (by as NodeJS.Signals) : "SIGTERM");
  const first = Date.now();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (Date.now() - first > sameSignalMilliseconds) child.kill(name);
    });
  }
}

function interrupted(): TaskError {
  const hint = "run the command again to complete it";
  return new TaskError("interrupted", "interrupted: the remaining steps were not run", { hint, exitCode: 130 });
}

/** Returns a command line for people. Arguments with special characters are quoted. */
function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
