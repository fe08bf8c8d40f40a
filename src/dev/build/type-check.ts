import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { execa } from "execa";
import type { DevProblem } from "../protocol.ts";
import { codeFrame } from "./code-frame.ts";
import { firstSyntaxErrors } from "./syntax-errors.ts";

const maxProblems = 20;
const line = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/;

/** Name of the compiler's state in the cache. */
export const typesFile = "types.tsbuildinfo";

/**
 * Checks the types with the project's own compiler.
 *
 * @param root - the project
 * @param cache - directory of the compiler's state
 * @param env - environment of the compiler
 * @param signal - ends the check; its result is then `undefined`
 * @returns the errors; `undefined` if the check was stopped or the compiler isn't installed
 */
export async function checkTypes(
  root: string,
  cache: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<DevProblem[] | undefined> {
  if (!existsSync(join(root, "tsconfig.json"))) return undefined;
  const args = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", join(cache, typesFile)];
  const { stdout, exitCode, failed, code } = await execa(compilerProgram(root), args, {
    cwd: root,
    env: { ...env },
    extendEnv: false,
    preferLocal: true,
    localDir: root,
    reject: false,
    stdin: "ignore",
    cancelSignal: signal,
    maxBuffer: 4 * 1024 * 1024,
  });
  if (signal.aborted || code === "ENOENT" || (failed && exitCode === undefined)) return undefined;
  return exitCode === 0 ? [] : typeProblems(stdout, root);
}

/**
 * Returns the program of the project's TypeScript. From version 7 on, it is a native program, whose package starts it with
 * Node.js. Starting it without Node.js saves 60 to 90 ms after each save.
 */
function compilerProgram(root: string): string {
  const command = "tsc";
  // Its name is limited in length there, and the package's command works around it.
  if (process.platform === "win32") return command;
  try {
    const typescript = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const program = join(dirname(createRequire(typescript).resolve(native)), "lib", command);
    return existsSync(program) ? program : command;
  } catch {
    return command;
  }
}

/** Parses the output of the compiler. */
export function typeProblems(output: string, root: string): DevProblem[] {
  const problems: DevProblem[] = [];
  for (const text of output.split(/\r?\n/)) {
    const match = line.exec(text);
    if (match) {
      const [, file = "", row, column, id = "", message = ""] = match;
      const [line, at] = [Number(row), Number(column)];
      const frame = codeFrame(root, file, line, at);
      problems.push({ phase: "types", message, file, line, column: at, id, ...(frame === undefined ? {} : { frame }) });
    } else if (/^error TS\d+: /.test(text)) {
      const [, id = "", message = ""] = /^error (TS\d+): (.*)$/.exec(text) ?? [];
      problems.push({ phase: "types", message, id });
    } else if (/^\s+\S/.test(text)) {
      // The lines below an error explain it.
      const last = problems.pop();
      if (last) problems.push({ ...last, message: `${last.message}\n${text}` });
    }
  }
  return firstSyntaxErrors(problems).slice(0, maxProblems);
}
