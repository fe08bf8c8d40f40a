import { parse } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { readJson } from "../../yaml/json.ts";
import type { CommandContext } from "../command.ts";
import { findProgram, programEnvironment } from "../programs.ts";

/** What programs are asked with. */
export type Surroundings = Pick<CommandContext, "env" | "cwd" | "signal">;

export interface Answer {
  /** It isn't there, wasn't run, failed, or took too long. */
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The program's path if it was found in the checkout only, and so wasn't run. */
  readonly inside?: string;
}

/** How long a program may take, in milliseconds: one that waits for the network mustn't keep the others' results back. */
const patience = 6000;

/** The answer of a program that isn't run. */
export const noAnswer: Answer = { failed: true, stdout: "", stderr: "" };

/**
 * Runs a program of this machine, never one that the checkout brings. It is given some seconds, and is not waited for any longer
 * whatever it does.
 */
export async function ask(surroundings: Surroundings, name: string, ...args: string[]): Promise<Answer> {
  const found = findProgram(name, surroundings);
  if (found === undefined) return noAnswer;
  if ("inside" in found) return { ...noAnswer, ...found };
  const asked = execa(found.path, args, {
    // Package managers run what the configuration of their working directory names, such as yarnPath.
    cwd: parse(surroundings.cwd).root,
    env: programEnvironment(surroundings),
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: patience,
    killSignal: "SIGKILL",
    cancelSignal: surroundings.signal,
  }).then(({ failed, stdout, stderr }) => ({ failed, stdout, stderr }));
  // A child of the program that outlives it would keep its output open.
  const late = pause(patience + 1000, noAnswer, { ref: false });
  return Promise.race([asked, late]);
}

/** The JSON that a program printed; undefined where it printed something else. */
export function jsonOf<Shape>({ stdout }: Answer): Partial<Shape> | undefined {
  try {
    const value = readJson(stdout);
    return typeof value === "object" && value !== null ? (value as Partial<Shape>) : undefined;
  } catch {
    return undefined;
  }
}
