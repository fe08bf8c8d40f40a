import { relative, sep } from "node:path";
import type { BreakingChange, DevProblem, GeneratorWarning } from "@kubewright/dashboard/protocol";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { breakingDiagnostics } from "../../generate/breaking/index.ts";
import { type Cache, cachedOutput, type RunGenerators } from "../../generate/cache/index.ts";
import { planOutput } from "../../generate/generate.ts";
import { applyPlan } from "../../generate/output/apply.ts";
import type { GenerateRequest } from "../../generate/run/request.ts";
import { disk } from "../../generate/source/files.ts";
import { codeFrame } from "./code-frame.ts";

/** The result of a run of the generators. */
export interface Generated {
  /** Files that changed, relative to the project. */
  readonly files: readonly string[];
  readonly breaking: readonly BreakingChange[];
  /** Those that the run before didn't have. */
  readonly warnings: readonly GeneratorWarning[];
  readonly problems: readonly DevProblem[];
}

/**
 * Generates manifests in this process, which keeps parsed files between runs. If nothing has changed since an earlier run, also of
 * another process, it returns the output of that run, and doesn't load the compiler.
 */
export class Generator {
  readonly #root: string;
  readonly #request: () => Promise<GenerateRequest>;
  readonly #cache: Cache | undefined;
  #generators: Promise<RunGenerators> | undefined;
  /** The end of the last run. Runs share the reader, so they can't overlap. */
  #last: Promise<unknown> = Promise.resolve();

  /** The warnings of the last run, as JSON. */
  #warnings: ReadonlySet<string> = new Set();

  /**
   * @param request - reads the options of `make manifests`
   * @param cache - keeps the output for the next session
   */
  constructor(root: string, request: () => Promise<GenerateRequest>, cache?: Cache) {
    this.#root = root;
    this.#request = request;
    this.#cache = cache;
  }

  /**
   * Loads the compiler and the project's types, unless a run has loaded them: the next edit doesn't wait for them then. The next
   * run reports the errors.
   */
  load(signal: AbortSignal): Promise<void> {
    return this.#afterLast(async () => {
      if (this.#generators === undefined && !signal.aborted) await this.#runGenerators(await this.#request(), disk);
    }).catch(() => undefined);
  }

  /** Generates, and writes what changed. With an error, nothing is written. */
  run(): Promise<Generated> {
    return this.#afterLast(() => this.#run());
  }

  #afterLast<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run(): Promise<Generated> {
    const request = await this.#request();
    const run: RunGenerators = (...input) => this.#runGenerators(...input);
    const made = await (this.#cache ? cachedOutput(request, this.#cache, disk, run) : run(request, disk));
    const { diagnostics, plan } = planOutput(made, request);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const problems = errors.map((error): DevProblem => {
      const frame = codeFrame(this.#root, this.#relative(error.file), error.line, error.column);
      return { phase: "generate", ...this.#finding(error), ...(frame === undefined ? {} : { frame }) };
    });
    const warnings = diagnostics
      .filter(({ severity }) => severity === "warning")
      .map((diagnostic) => this.#finding(diagnostic));
    const isNew = (warning: GeneratorWarning) => !this.#warnings.has(JSON.stringify(warning));
    // With an error, the warnings are reported once it is fixed.
    const news = errors.length > 0 ? [] : warnings.filter(isNew);
    if (errors.length === 0) this.#warnings = new Set(warnings.map((warning) => JSON.stringify(warning)));
    const changes = plan.writes.filter(({ action }) => action !== "unchanged");
    const texts = (which: "before" | "after") =>
      changes.flatMap(({ path, [which]: text }) => (text === undefined ? [] : [{ path, text }]));
    const incompatible = breakingDiagnostics(texts("before"), texts("after"));
    applyPlan(plan.writes);
    return {
      files: changes.map(({ path }) => this.#relative(path)),
      breaking: incompatible.map((change) => ({ ...change, file: this.#relative(change.file) })),
      warnings: news,
      problems: problems,
    };
  }

  async #runGenerators(...input: Parameters<RunGenerators>): ReturnType<RunGenerators> {
    this.#generators ??= loadGenerators();
    return (await this.#generators)(...input);
  }

  #finding({ id, message, hint, file, line, column }: Diagnostic): GeneratorWarning {
    const path = this.#relative(file);
    return {
      id,
      message,
      ...(path === "" ? {} : { file: path }),
      ...(line > 0 ? { line, column } : {}),
      ...(hint === undefined ? {} : { hint }),
    };
  }

  #relative(path: string): string {
    return relative(this.#root, path).split(sep).join("/");
  }
}

/** Loads the generators on demand: the compiler takes longer to load than everything that a session needs before. */
async function loadGenerators(): Promise<RunGenerators> {
  const { runGenerators } = await import("../../generate/generators/run-generators.ts");
  const { createReader } = await import("../../generate/source/ts-morph/reader.ts");
  const { keepParsed } = await import("../../generate/watch/watch.ts");
  const reader = keepParsed(createReader());
  return (request, files) => runGenerators(request, { files, reader });
}
