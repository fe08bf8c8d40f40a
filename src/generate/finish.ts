// The last step of a run, and all of it where nothing has changed: loads neither compiler nor tables.
import { createCollector } from "../diagnostics/collector.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Made } from "./made.ts";
import { type OutputPlan, planOutput, planPrune } from "./output/plan.ts";
import { policyOf } from "./policy.ts";
import type { GenerateRequest } from "./request.ts";
import { general } from "./run.ts";

/** What a run comes to. Nothing has been written yet. */
export interface GenerateOutcome {
  readonly diagnostics: readonly Diagnostic[];
  /** Empty if a diagnostic is an error: all or nothing. */
  readonly plan: OutputPlan;
}

/** Plans what to write: compares what was made with what is there. */
export function finish({ files, diagnostics: found }: Made, request: GenerateRequest): GenerateOutcome {
  const { generators, output } = request.config;
  const reporter = createCollector(policyOf(request));
  for (const diagnostic of found) reporter.report(diagnostic);
  const nothing: OutputPlan = { writes: [], stdout: "", problems: [] };
  const plan = reporter.hasErrors() ? nothing : planOutput(files, output, request.cwd);
  for (const problem of plan.problems) reporter.report(general("bad-output", problem));
  const diagnostics = reporter.all();
  if (reporter.hasErrors()) return { diagnostics, plan: nothing };
  const pruned = request.prune && generators.crd ? planPrune(files, output, request.cwd) : [];
  return { diagnostics, plan: { ...plan, writes: [...plan.writes, ...pruned] } };
}
