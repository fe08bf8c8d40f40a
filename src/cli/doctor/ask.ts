import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { readJson } from "../../yaml/json.ts";
import type { CommandContext } from "../command.ts";

/** What programs are asked with. */
export type Surroundings = Pick<CommandContext, "env" | "cwd" | "signal">;

export interface Answer {
  /** It isn't there, failed, or took too long. */
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long a program may take, in milliseconds. */
const patience = 6000;

/** Runs a program, that of the project first. It is given some seconds, and is not waited for any longer whatever it does. */
export async function ask({ env, cwd, signal }: Surroundings, name: string, ...args: string[]): Promise<Answer> {
  const asked = execa(name, args, {
    cwd,
    env: { ...env },
    extendEnv: false,
    preferLocal: true,
    localDir: cwd,
    reject: false,
    stdin: "ignore",
    timeout: patience,
    killSignal: "SIGKILL",
    cancelSignal: signal,
  }).then(({ failed, stdout, stderr }) => ({ failed, stdout, stderr }));
  // A child of the program that outlives it would keep its output open.
  const late = pause(patience + 1000, { failed: true, stdout: "", stderr: "" }, { ref: false });
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
