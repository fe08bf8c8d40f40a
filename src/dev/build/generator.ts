import { relative, sep } from "node:path";
import type { BreakingChange, DevProblem, GeneratorWarning } from "@kubewright/dashboard/protocol";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { breakingDiagnostics } from "../../generate/breaking/index.ts";
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

/** Generates manifests in this process, which keeps parsed files between runs. */
export class Generator {
  readonly #root: string;
  readonly #request: () => Promise<GenerateRequest>;
  #generators: ReturnType<typeof loadGenerators> | undefined;

  /** The warnings of the last run, as JSON. */
  #warnings: ReadonlySet<string> = new Set();

  /** @param request - reads the options of `make manifests` */
  constructor(root: string, request: () => Promise<GenerateRequest>) {
    this.#root = root;
    this.#request = request;
  }

  /** Generates, and writes what changed. With an error, nothing is written. */
  async run(): Promise<Generated> {
    const request = await this.#request();
    this.#generators ??= loadGenerators();
    const { runGenerators, reader } = await this.#generators;
    const made = await runGenerators(request, { files: disk, reader });
    const { diagnostics, plan } = planOutput(made, request);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const found = errors.map((error): DevProblem => {
      const frame = codeFrame(this.#root, this.#relative(error.file), error.line, error.column);
      return { phase: "generate", ...this.#finding(error), ...(frame === undefined ? {} : { frame }) };
    });
    const warnings = diagnostics.filter(({ severity }) => severity === "warning").map((one) => this.#finding(one));
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
      problems: found,
    };
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
async function loadGenerators() {
  const { runGenerators } = await import("../../generate/generators/run-generators.ts");
  const { createReader } = await import("../../generate/source/ts-morph/reader.ts");
  const { keepParsed } = await import("../../generate/watch/watch.ts");
  return { runGenerators, reader: keepParsed(createReader()) };
}
