import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { execa } from "execa";
import type { DevProblem } from "../protocol.ts";
import { codeFrame } from "./code-frame.ts";
import { type CheckedFiles, checkedFiles } from "./reached-files.ts";
import { firstSyntaxErrors, isSyntaxError } from "./syntax-errors.ts";

/** Errors that have the lines around them: reading files for thousands would delay the rest. */
const maxFrames = 100;
const line = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/;

/** Name of the compiler's state in the cache. */
export const typesFile = "types.tsbuildinfo";
/** Name of the settings for {@link TypeCheck} of the reached files only, and of the compiler's state for it. */
const reachedConfig = "reached.tsconfig.json";
const reachedFile = "reached.tsbuildinfo";

/** The result of a type check. */
export interface TypeErrors {
  /** Those that prevent a start are first. */
  readonly problems: readonly DevProblem[];
  /** Whether one of them is in a file that the program reaches, or concerns all files. */
  readonly isBlocking: boolean;
}

/** The parts that a {@link TypeCheck} uses. */
export interface TypeCheckParts {
  /** The project. */
  readonly root: string;
  /** Directory of the compiler's state. */
  readonly cache: string;
  /** Environment of the compiler. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Checks types with the project's own compiler. */
export class TypeCheck {
  readonly #parts: TypeCheckParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: TypeCheckParts) {
    this.#parts = parts;
  }

  /** Resolves when the last check has ended. */
  get ended(): Promise<unknown> {
    return this.#last;
  }

  /**
   * Checks the types of the project.
   *
   * @param entries - returns the files that the program begins with, and those that its bundle contains, as absolute paths
   * @param signal - ends the check; its result is then `undefined`
   * @returns the errors; `undefined` if the check was stopped or the compiler isn't installed
   */
  run(entries: () => Promise<readonly string[]>, signal: AbortSignal): Promise<TypeErrors | undefined> {
    const checked = this.#run(entries, signal);
    this.#last = checked.catch(() => undefined);
    return checked;
  }

  async #run(entries: () => Promise<readonly string[]>, signal: AbortSignal): Promise<TypeErrors | undefined> {
    const { root, cache } = this.#parts;
    if (!existsSync(join(root, "tsconfig.json"))) return undefined;
    const output = await this.#compile([], typesFile, signal);
    if (output === undefined) return undefined;
    const all = typeProblems(output);
    if (all.length === 0) return { problems: [], isBlocking: false };
    const begin = await entries();
    const files = checkedFiles(join(cache, typesFile), root, begin);
    const blocks = (problem: DevProblem) => isBlocking(problem, root, files);
    const found = all.filter(blocks);
    const others = all.filter((problem) => !blocks(problem));
    // With a syntax error in any file, the compiler reports no type errors at all.
    if (files && found.length === 0 && others.some(isSyntaxError)) {
      const config = join(cache, reachedConfig);
      const sources = [...begin, ...files.ambient].filter((path) => /\.[cm]?tsx?$/.test(path));
      const settings = { extends: join(root, "tsconfig.json"), files: sources, include: [] };
      writeFileSync(config, JSON.stringify(settings));
      const reached = await this.#compile(["--project", config], reachedFile, signal);
      if (reached === undefined) return undefined;
      found.push(...typeProblems(reached));
    }
    const problems = [...found, ...others].map((problem, index) =>
      index < maxFrames ? this.#framed(problem) : problem,
    );
    return { problems, isBlocking: found.length > 0 };
  }

  /** Returns the output of the compiler; `undefined` if it was stopped, or isn't installed. */
  async #compile(args: readonly string[], state: string, signal: AbortSignal): Promise<string | undefined> {
    const { root, cache, env } = this.#parts;
    const own = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", join(cache, state)];
    const { stdout, exitCode, failed, code, isMaxBuffer } = await execa(compilerProgram(root), [...args, ...own], {
      cwd: root,
      env: { ...env },
      extendEnv: false,
      preferLocal: true,
      localDir: root,
      reject: false,
      stdin: "ignore",
      cancelSignal: signal,
      maxBuffer: 16 * 1024 * 1024,
    });
    // The compiler was stopped, but its errors are known.
    if (isMaxBuffer) return stdout;
    if (signal.aborted || code === "ENOENT" || (failed && exitCode === undefined)) return undefined;
    return exitCode === 0 ? "" : stdout;
  }

  #framed(problem: DevProblem): DevProblem {
    const { file, line, column } = problem;
    const frame = file && line && column ? codeFrame(this.#parts.root, file, line, column) : undefined;
    return frame === undefined ? problem : { ...problem, frame };
  }
}

/** Whether an error prevents a start: settings and declarations that no file imports concern all files. */
function isBlocking({ file }: DevProblem, root: string, files: CheckedFiles | undefined): boolean {
  if (file === undefined || files === undefined || file.endsWith(".json") || files.isReached(file)) return true;
  return files.ambient.includes(resolve(root, file));
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
export function typeProblems(output: string): DevProblem[] {
  const problems: DevProblem[] = [];
  for (const text of output.split(/\r?\n/)) {
    const match = line.exec(text);
    if (match) {
      const [, file = "", row, column, id = "", message = ""] = match;
      problems.push({ phase: "types", message, file, line: Number(row), column: Number(column), id });
    } else if (/^error TS\d+: /.test(text)) {
      const [, id = "", message = ""] = /^error (TS\d+): (.*)$/.exec(text) ?? [];
      problems.push({ phase: "types", message, id });
    } else if (/^\s+\S/.test(text)) {
      // The lines below an error explain it.
      const last = problems.pop();
      if (last) problems.push({ ...last, message: `${last.message}\n${text}` });
    }
  }
  return firstSyntaxErrors(problems);
}
