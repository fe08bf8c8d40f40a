import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { interrupted } from "../errors.ts";
import { cliVersion } from "../version.ts";
import { cacheFor } from "./generate/cache.ts";
import { check } from "./generate/check.ts";
import { readConfig } from "./generate/config.ts";
import { defineFlags, readFlags } from "./generate/flags.ts";
import { dryRun, result, showDiagnostics, tellWrites } from "./generate/report.ts";
import { write } from "./generate/write.ts";

/** `scaffold generate`: its parts are in `generate/`, a file a concern. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Writes CRDs, roles and webhook configurations from types and markers. Options are controller-gen's, such as crd or paths=./...",
      )
      .argument("[option...]", "generators, paths and output rules");
    defineFlags(program);
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, cwd, globals, signal } = context;
  const flags = readFlags(options);
  const config = await readConfig(context);
  const { generate } = await import("../../generate/generate.ts");
  const { check: checks, ...wishes } = flags;
  const outcome = await generate(
    { cwd, config, ...wishes, toolVersion: `kubewright-v${cliVersion()}` },
    cacheFor(cwd, globals.dryRun),
  );
  if (!globals.json) showDiagnostics(outcome, context);
  if (outcome.diagnostics.some((diagnostic) => diagnostic.severity === "error")) return result(1, outcome, cwd);
  if (signal.aborted) throw interrupted();
  if (checks) return check(outcome, cwd);
  if (globals.dryRun) return dryRun(outcome, cwd);
  await write(outcome);
  tellWrites(outcome, config, context);
  return { ...result(0, outcome, cwd), output: outcome.plan.stdout };
}
