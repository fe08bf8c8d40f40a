// The last step of a run, and all of it where nothing has changed: loads neither compiler nor tables.
import { createCollector } from "../diagnostics/collector.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Made } from "./made.ts";
import { misnamedCrds, missingCrds, planUnlist } from "./output/kustomization.ts";
import { type OutputPlan, planOutput, planPrune } from "./output/plan.ts";
import { policyOf } from "./policy.ts";
import type { GenerateRequest } from "./request.ts";
import { general } from "./run.ts";

/** What a run comes to. Nothing has been written yet. */
export interface GenerateOutcome {
  readonly diagnostics: readonly Diagnostic[];
  /** Empty if a diagnostic is an error, all or nothing, unless the request keeps going. */
  readonly plan: OutputPlan;
}

/** Plans what to write: compares what was made with what is there. */
export function finish({ files, diagnostics: found }: Made, request: GenerateRequest): GenerateOutcome {
  const { generators, output } = request.config;
  const reporter = createCollector(policyOf(request));
  for (const diagnostic of found) reporter.report(diagnostic);
  const nothing: OutputPlan = { writes: [], stdout: "", problems: [] };
  const stops = () => reporter.hasErrors() && request.keepGoing !== true;
  const plan = stops() ? nothing : planOutput(files, output, request.cwd);
  for (const problem of plan.problems) reporter.report(general("bad-output", problem));
  if (generators.crd && !reporter.hasErrors()) misnamedCrds(files, output, request.cwd).forEach(reporter.report);
  // A kind with an error in it is not a kind that is gone.
  const gone = generators.crd && !reporter.hasErrors() ? planPrune(files, output, request.cwd) : [];
  const whole = generators.crd && !reporter.hasErrors();
  if (!request.prune) {
    for (const { path } of gone) reporter.report(extraneous(path));
    if (whole) missingCrds(files, output, request.cwd).forEach(reporter.report);
  }
  const pruned = request.prune && whole ? [...gone, ...planUnlist(files, output, request.cwd, gone)] : [];
  const diagnostics = reporter.all();
  if (stops()) return { diagnostics, plan: nothing };
  return { diagnostics, plan: { ...plan, writes: [...plan.writes, ...pruned] } };
}

/** A CRD that stays behind goes on being installed, and nobody would see why. */
function extraneous(file: string): Diagnostic {
  const message = "no kind makes this CRD any more";
  const hint = "--prune removes it; if another run makes it, give that one a directory of its own";
  return { id: "extraneous-crd", severity: "warning", message, file, line: 0, column: 0, hint };
}
