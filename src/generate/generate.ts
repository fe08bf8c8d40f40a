import { createCollector } from "../diagnostics/collector.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { generateFiles } from "./generators.ts";
import { markerRegistry, unknownMarkerLevels } from "./markers/index.ts";
import { type OutputPlan, planOutput, planPrune } from "./output/plan.ts";
import { createPackages } from "./packages/collect.ts";
import type { GenerateRequest } from "./request.ts";
import { loadRoots } from "./roots.ts";
import { general } from "./run.ts";
import { createReader } from "./source/reader.ts";
import { createSources } from "./source/sources.ts";

/** What a run comes to. Nothing has been written yet. */
export interface GenerateOutcome {
  readonly diagnostics: readonly Diagnostic[];
  /** Empty if a diagnostic is an error: all or nothing. */
  readonly plan: OutputPlan;
}

/** Runs the generators that the request names over its packages and plans what to write. */
export async function generate(request: GenerateRequest): Promise<GenerateOutcome> {
  const { generators, output } = request.config;
  const levels = unknownMarkerLevels(request.unknownMarkers);
  const reporter = createCollector({ levels, strict: request.strict });
  const { report } = reporter;
  const sources = createSources(await createReader(request.reader ?? "auto"));
  const packages = createPackages({ sources, registry: markerRegistry, report });
  const roots = loadRoots(request, packages, report);
  const files = generateFiles({ request, roots, packages, sources, report });
  const nothing: OutputPlan = { writes: [], stdout: "", problems: [] };
  const plan = reporter.hasErrors() ? nothing : planOutput(files, output, request.cwd);
  for (const problem of plan.problems) report(general("bad-output", problem));
  const diagnostics = reporter.all();
  if (reporter.hasErrors()) return { diagnostics, plan: nothing };
  const pruned = request.prune && generators.crd ? planPrune(files, output, request.cwd) : [];
  return { diagnostics, plan: { ...plan, writes: [...plan.writes, ...pruned] } };
}
