import { parse } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { run } from "../../programs/run.ts";
import { readJson } from "../../yaml/json.ts";
import type { CommandContext } from "../framework/command.ts";
import { findProgram, programEnvironment } from "../framework/programs.ts";

/** The environment, working directory and abort signal for programs that `doctor` runs. */
export type CheckContext = Pick<CommandContext, "env" | "cwd" | "signal">;

export interface Answer {
  /** Whether the program was not found, was not run, failed, or timed out. */
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The path of a program that was found only in the checkout, and therefore was not run. */
  readonly inside?: string;
  /** Why a program that was found has no answer, such as `doesn't answer within 6 s`. */
  readonly problem?: string;
}

/** Timeout of a program in milliseconds, so that one that waits for the network doesn't delay the results of the others. */
const timeout = 6000;

/** The problem of a program that is too slow, perhaps because the machine is busy. */
export const silence: string = `doesn't answer within ${timeout / 1000} s`;

/** The answer for a program that is not run. */
export const noAnswer: Answer = { failed: true, stdout: "", stderr: "" };

/**
 * Runs a program that is installed on this machine, never one from the checkout. Returns after a timeout even if the program
 * doesn't end.
 */
export async function ask(context: CheckContext, name: string, ...args: string[]): Promise<Answer> {
  const program = findProgram(name, context);
  if (program === undefined) return noAnswer;
  if ("inside" in program) return { ...noAnswer, ...program };
  const asked = run(program.path, args, {
    // Package managers run programs that the configuration in their working directory names, such as yarnPath.
    cwd: parse(context.cwd).root,
    env: programEnvironment(context),
    timeout,
    killSignal: "SIGKILL",
    signal: context.signal,
  }).then(({ failed, notFound, stdout, stderr, how }) => {
    const answer = { failed, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
    return failed && !notFound ? { ...answer, problem: how === "SIGKILL" ? silence : `ends with ${how}` } : answer;
  });
  // A child process that outlives the program would keep its output open.
  const late = pause(timeout + 1000, { ...noAnswer, problem: silence }, { ref: false });
  return Promise.race([asked, late]);
}

/** Returns the JSON object that a program printed, or undefined for any other output. */
export function jsonOf<Shape>({ stdout }: Answer): Partial<Shape> | undefined {
  try {
    const value = readJson(stdout);
    return typeof value === "object" && value !== null ? (value as Partial<Shape>) : undefined;
  } catch {
    return undefined;
  }
}
