import { resolve } from "node:path";
import { createCollector, type Diagnostic } from "../../../diagnostics/index.ts";
import type { GitProgram } from "../../../generate/breaking/index.ts";
import type { GenerateOutcome } from "../../../generate/generate.ts";
import type { GenerateRequest } from "../../../generate/run/request.ts";
import { policyOf } from "../../../generate/run/request.ts";
import { usageError, workError } from "../../framework/errors.ts";
import { findProgram, type Place, programEnvironment } from "../../framework/programs.ts";

/**
 * `--against`: returns the incompatible changes of the generated CRDs compared to a git revision or a directory, with the
 * severities that apply to all diagnostics.
 *
 * @throws CliError without CRDs to compare
 */
export async function incompatible(
  against: string,
  { plan }: GenerateOutcome,
  request: GenerateRequest,
  place: Place,
): Promise<readonly Diagnostic[]> {
  const { cwd, config } = request;
  const rule = config.output.crd;
  const directory = rule?.kind === "dir" ? rule.directory : rule?.kind === "artifacts" ? rule.config : undefined;
  if (!config.generators.crd || directory === undefined) {
    throw usageError(
      "--against compares CRD files, but this call doesn't write any",
      "for example: npx scaffold generate crd paths=./... output:crd:dir=config/crd/bases --check --against origin/main",
    );
  }
  const { BaselineError, breakingDiagnostics, readBaseline } = await import("../../../generate/breaking/index.ts");
  const collector = createCollector(policyOf(request));
  try {
    const before = await readBaseline(against, cwd, resolve(cwd, directory), gitOf(place));
    const after = plan.writes.flatMap(({ path, after: text }) => (text === undefined ? [] : [{ path, text }]));
    for (const diagnostic of breakingDiagnostics(before, after)) collector.report(diagnostic);
  } catch (error) {
    if (error instanceof BaselineError) throw workError("nothing-to-compare", error.message);
    throw error;
  }
  return collector.all();
}

/** Finds git on this machine, but not in the checkout. */
function gitOf(place: Place): GitProgram | undefined {
  const git = findProgram("git", place);
  return git !== undefined && "path" in git ? { path: git.path, env: programEnvironment(place) } : undefined;
}
