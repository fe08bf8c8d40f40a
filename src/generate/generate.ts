// The pipeline of a run: generate, or take the output of an earlier run; compare with the disk; plan the writes. Loads neither
// compiler nor tables, because a run without changes needs none.
import { createCollector } from "../diagnostics/collector.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Cache, cachedOutput, loadAndRun } from "./cache/index.ts";
import type { GeneratedOutput } from "./generators/run-generators.ts";
import { misnamedCrds, missingCrds, planUnlist } from "./output/kustomization.ts";
import { type OutputPlan, planPrune, planPruneOthers, planWrites } from "./output/plan.ts";
import { type GenerateRequest, policyOf } from "./run/request.ts";
import { general } from "./run/run.ts";
import { disk, type Files } from "./source/files.ts";

/** The result of a run. Nothing has been written yet. */
export interface GenerateOutcome {
  readonly diagnostics: readonly Diagnostic[];
  /** Empty if a diagnostic is an error, unless the request sets `keepGoing`. */
  readonly plan: OutputPlan;
}

/**
 * Runs the requested generators over the packages and plans what to write.
 *
 * @param run - runs them, unless the cache has the result. By default, they are only loaded if they have to run
 */
export async function generate(
  request: GenerateRequest,
  cache?: Cache,
  files: Files = disk,
  run = loadAndRun,
): Promise<GenerateOutcome> {
  return planOutput(await (cache ? cachedOutput(request, cache, files, run) : run(request, files)), request);
}

/** Plans the writes: compares the generated files with those on disk. */
export function planOutput(
  { files, diagnostics: reported }: GeneratedOutput,
  request: GenerateRequest,
): GenerateOutcome {
  const { generators, output } = request.config;
  const reporter = createCollector(policyOf(request));
  for (const diagnostic of reported) reporter.report(diagnostic);
  const nothing: OutputPlan = { writes: [], stdout: "", problems: [] };
  const stops = () => reporter.hasErrors() && request.keepGoing !== true;
  const plan = stops() ? nothing : planWrites(files, output, request.cwd);
  for (const problem of plan.problems) reporter.report(general("bad-output", problem));
  if (generators.crd && !reporter.hasErrors()) misnamedCrds(files, output, request.cwd).forEach(reporter.report);
  // A kind with an error may still exist, so its CRD isn't obsolete.
  const gone = generators.crd && !reporter.hasErrors() ? planPrune(files, output, request.cwd) : [];
  const whole = generators.crd && !reporter.hasErrors();
  const others = reporter.hasErrors() ? [] : planPruneOthers(files, output, request.cwd);
  if (!request.prune) {
    for (const { path } of gone) reporter.report(extraneous("extraneous-crd", path));
    for (const { path } of others) reporter.report(extraneous("extraneous-file", path));
    if (whole) missingCrds(files, output, request.cwd).forEach(reporter.report);
  }
  const unlisted = request.prune && whole ? planUnlist(files, output, request.cwd, gone) : [];
  const pruned = request.prune ? [...gone, ...unlisted, ...others] : [];
  const diagnostics = reporter.all();
  if (stops()) return { diagnostics, plan: nothing };
  return { diagnostics, plan: { ...plan, writes: [...plan.writes, ...pruned] } };
}

/** Warns about a CRD without a kind, because it would still be installed, or about another generated file. */
function extraneous(id: "extraneous-crd" | "extraneous-file", file: string): Diagnostic {
  const isCrd = id === "extraneous-crd";
  const message = `no kind generates this ${isCrd ? "CRD" : "file"} any longer`;
  const hint = `remove it with --prune${isCrd ? "; if another run generates it, use separate directories" : ""}`;
  return { id, severity: "warning", message, file, line: 0, column: 0, hint };
}
