import { generate } from "../../../generate/generate.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { interrupted } from "../../errors.ts";
import { cacheFor } from "./cache.ts";
import type { GenerateCall } from "./call.ts";
import { check } from "./check.ts";
import { dryRun, result, showDiagnostics, tellWrites } from "./report.ts";
import { write } from "./write.ts";

/** What the work needs of its surroundings: nothing that was parsed. */
export type Surrounded = Pick<CommandContext, "cwd" | "globals" | "terminal" | "signal">;

/** Does what a call asks for. */
export async function execute({ request, flags, said }: GenerateCall, context: Surrounded): Promise<CommandResult> {
  const { cwd, globals, signal, terminal } = context;
  for (const { how, line } of said) terminal[how](line);
  const outcome = await generate(request, cacheFor(cwd, globals.dryRun));
  if (!globals.json) showDiagnostics(outcome, context);
  const exitCode = outcome.diagnostics.some((diagnostic) => diagnostic.severity === "error") ? 1 : 0;
  if (exitCode === 1 && !flags.keepGoing) return result(1, outcome, cwd);
  if (signal.aborted) throw interrupted();
  if (flags.check) return check(outcome, exitCode, cwd);
  if (globals.dryRun) return dryRun(outcome, exitCode, cwd);
  await write(outcome, cwd);
  tellWrites(outcome, request.config, context);
  return { ...result(exitCode, outcome, cwd), output: outcome.plan.stdout };
}
