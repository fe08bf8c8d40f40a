import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DevProblem } from "@kubewright/dashboard/protocol";
import { run } from "../../programs/run.ts";
import { projectTools } from "../../scaffold/parts/versions.ts";
import { codeFrame } from "./code-frame.ts";
import { compilerProgram, nativeCompiler } from "./compiler-program.ts";
import { type CheckedFiles, checkedFiles } from "./reached-files.ts";
import { firstSyntaxErrors, isSyntaxError } from "./syntax-errors.ts";
import { WarmCompiler } from "./warm-compiler.ts";

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
  #warm: WarmCompiler | undefined;
  /** Whether the warm compiler has failed. The command is used from then on. */
  #hasFailed = false;

  constructor(parts: TypeCheckParts) {
    this.#parts = parts;
  }

  /** The next check doesn't rely on what earlier ones have read. */
  forget(): void {
    this.#warm?.close();
    this.#warm = undefined;
  }

  /** Ends the process that waits for checks. Resolves when the last check has ended. */
  async close(): Promise<void> {
    this.#warm?.close();
    await this.#last;
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
    if (await this.#isClean()) return { problems: [], isBlocking: false };
    if (signal.aborted) return undefined;
    const output = await this.#compile([], typesFile, signal);
    if (output === undefined) return undefined;
    const all = typeProblems(output);
    if (all.length === 0) return { problems: [], isBlocking: false };
    const begin = await entries();
    const files = checkedFiles(join(cache, typesFile), root, begin);
    const blocks = (problem: DevProblem) => isBlocking(problem, root, files);
    const blocking = all.filter(blocks);
    const others = all.filter((problem) => !blocks(problem));
    // With a syntax error in any file, the compiler reports no type errors at all.
    if (files && blocking.length === 0 && others.some(isSyntaxError)) {
      const config = join(cache, reachedConfig);
      const sources = [...begin, ...files.ambient].filter((path) => /\.[cm]?tsx?$/.test(path));
      const settings = { extends: join(root, "tsconfig.json"), files: sources, include: [] };
      writeFileSync(config, JSON.stringify(settings));
      const reached = await this.#compile(["--project", config], reachedFile, signal);
      if (reached === undefined) return undefined;
      blocking.push(...typeProblems(reached));
    }
    const problems = [...blocking, ...others].map((problem, index) =>
      index < maxFrames ? this.#framed(problem) : problem,
    );
    return { problems, isBlocking: blocking.length > 0 };
  }

  /**
   * Checks with the warm compiler whether the project has no errors. The API of the compiler is unstable, so only the version of
   * scaffolded projects is used.
   *
   * @returns false if there are errors, or if the command must be used
   */
  async #isClean(): Promise<boolean> {
    const { root, env } = this.#parts;
    const compiler = nativeCompiler(root);
    // Another version can be installed during the session.
    if (this.#hasFailed || compiler?.version !== projectTools.typescript) {
      this.forget();
      return false;
    }
    this.#warm ??= new WarmCompiler(compiler.program, join(root, "tsconfig.json"), { cwd: root, env });
    const warm = this.#warm;
    try {
      return !(await warm.hasErrors());
    } catch {
      // It was closed if another one has replaced it.
      this.#hasFailed ||= warm === this.#warm;
      return false;
    }
  }

  /** Returns the output of the compiler; `undefined` if it was stopped, or isn't installed. */
  async #compile(args: readonly string[], state: string, signal: AbortSignal): Promise<string | undefined> {
    const { root, cache, env } = this.#parts;
    const own = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", join(cache, state)];
    const { stdout, exitCode, failed, isTooLong } = await run(compilerProgram(root), [...args, ...own], {
      cwd: root,
      env,
      localDir: root,
      signal,
      maxOutput: 16 * 1024 * 1024,
    });
    // The compiler was stopped, but its errors are known.
    if (isTooLong) return stdout;
    if (signal.aborted || (failed && exitCode === undefined)) return undefined;
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
