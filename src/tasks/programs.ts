import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type ProgramEnd, run } from "../programs/run.ts";
import { ProblemError } from "../project/problem-error.ts";
import { Reported, type Task } from "./task.ts";

/** Programs of npm packages that each project has. */
const projectPrograms = ["biome", "prettier", "tsc", "vitest"];

export interface RunOptions {
  /** Text for stdin. */
  readonly input?: string;
  /** Whether stdout is progress, which belongs on stderr. */
  readonly progress?: boolean;
  /** Whether to run it even after an interruption, to remove what an earlier program created. */
  readonly cleanup?: boolean;
  /** Whether to return stdout instead of printing it. With `progress`, it is also printed. */
  readonly capture?: boolean;
  /** Whether to print and return stdout and stderr: some programs print results on stderr. */
  readonly report?: boolean;
}

/**
 * Runs a program in the project, and waits for its end. Programs of packages are found in the project, or in a workspace that
 * contains it. A dry run only records the call.
 *
 * @returns stdout if `capture` is set, and all output if `report` is set
 * @throws ProblemError if the program can't be started or fails
 */
export async function runProgram(
  task: Task,
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  if (task.calls !== undefined) {
    task.calls.push(callLine([program, ...args]));
    return "";
  }
  const end = await start(task, program, args, options);
  checkEnd(end, program, args);
  return options.report === true ? `${end.stdout}\n${end.stderr}` : end.stdout;
}

/** @throws ProblemError if the program couldn't be started, or has failed */
export function checkEnd(end: ProgramEnd, program: string, args: readonly string[]): void {
  if (end.notFound) {
    throw new ProblemError(
      "program-missing",
      `can't run ${program}: the program isn't installed`,
      projectPrograms.includes(program) ? "run npm install" : "install it, or add its directory to PATH",
    );
  }
  if (end.failed) throw new ProblemError("program-failed", `${callLine([program, ...args])} failed with ${end.how}`);
}

/** Runs a program without judging its end. Passes the command's interruption to the program. */
export async function start(
  task: Task,
  program: string,
  args: readonly string[],
  { input, capture = false, progress = false, cleanup = false, report = false }: RunOptions = {},
): Promise<ProgramEnd> {
  const { root, env, json, signal, isTyped } = task;
  if (!cleanup) signal.throwIfAborted();
  return run(program, args, {
    cwd: root,
    env,
    localDir: root,
    ...(input === undefined ? { interactive: true } : { input }),
    stdout: report || (capture && progress) ? "both" : capture ? "return" : json || progress ? "stderr" : "inherit",
    stderr: report ? "both" : "inherit",
    // An interruption before the cleanup is the reason for it, and doesn't end it.
    ...(signal.aborted ? {} : { signal }),
    // On Ctrl-C the terminal has sent the signal to the program too, and a second signal would force an immediate exit.
    onAbort: () => (isTyped() ? undefined : "SIGTERM"),
  });
}

/**
 * Runs a command of the CLI. A dry run only records the call.
 *
 * @throws Reported if the command fails, which has printed the reason
 */
export async function scaffold(task: Task, argv: readonly string[]): Promise<void> {
  if (task.calls !== undefined) task.calls.push(callLine(["scaffold", ...argv]));
  else if ((await task.scaffold(argv)) !== 0) throw new Reported();
}

/**
 * Loads a package of the project.
 *
 * @throws ProblemError if it isn't installed
 */
export function projectPackage<T>(root: string, name: string): T {
  const load = createRequire(join(root, "package.json"));
  try {
    return load(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new ProblemError("package-missing", `can't load ${name}: the package isn't installed`, "run npm install");
  }
}

/**
 * Returns the path of a program of the project's runtime.
 *
 * @param part the folder of the program in the package
 * @throws ProblemError if the runtime isn't installed, or doesn't have it
 */
export function runtimeProgram(root: string, part: string, file: string): string {
  const { resolve } = createRequire(join(root, "package.json"));
  try {
    const path = join(dirname(resolve("@kubewright/runtime/package.json")), "dist", part, file);
    if (existsSync(path)) return path;
  } catch {
    // It isn't installed.
  }
  throw new ProblemError(
    "package-missing",
    `can't load @kubewright/runtime/${part}: the package isn't installed, or it is too old`,
    "run npm install",
  );
}

/** Returns a call as a line for a shell. */
export function callLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
