import type { GenerateOutcome } from "../../../generate/generate.ts";
import { generate } from "../../../generate/generate.ts";
import type { GenerateRequest } from "../../../generate/request.ts";
import type { Files } from "../../../generate/source/files.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { interrupted } from "../../errors.ts";
import type { Terminal } from "../../terminal.ts";
import { cacheFor } from "./cache.ts";
import type { GenerateCall } from "./call.ts";
import { check } from "./check.ts";
import { dryRun, result, showDiagnostics, tellWrites } from "./report.ts";

/** What the work needs of its surroundings: nothing that was parsed. */
export type Surrounded = Pick<CommandContext, "cwd" | "env" | "globals" | "terminal" | "signal">;

/** Does what a call asks for. */
export async function execute({ request, flags, said }: GenerateCall, context: Surrounded): Promise<CommandResult> {
  const { cwd, globals, signal, terminal } = context;
  const made = await watched(terminal, (files) => generate(request, cacheFor(cwd, globals.dryRun), files));
  const outcome = flags.against === undefined ? made : await compared(flags.against, made, request, context);
  // The work left no time to hear a signal. Past this point it is told in full what was found and written.
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) throw interrupted();
  for (const { how, line } of said) {
    if (how === "warn") terminal.warn(line);
    else terminal.onSuccess(how, line);
  }
  if (!globals.json) showDiagnostics(outcome, context);
  const exitCode = outcome.diagnostics.some((diagnostic) => diagnostic.severity === "error") ? 1 : 0;
  // An incompatible change doesn't hide what is stale.
  const failed = made.diagnostics.some(({ severity }) => severity === "error");
  if (failed && !flags.keepGoing) return result(1, outcome, cwd);
  if (flags.check) return check(outcome, exitCode, cwd);
  if (globals.dryRun) return dryRun(outcome, exitCode, cwd);
  if (outcome.plan.writes.length > 0) (await import("./write.ts")).write(outcome, cwd);
  tellWrites(outcome, request.config, context);
  return { ...result(exitCode, outcome, cwd), output: outcome.plan.stdout, exact: true };
}

/** Does a run whose progress is told where somebody watches. */
async function watched<T>(terminal: Terminal, work: (files?: Files) => Promise<T>): Promise<T> {
  if (!terminal.live) return work();
  const { filesWithProgress } = await import("./progress.ts");
  const { files, end } = filesWithProgress(terminal);
  try {
    return await work(files);
  } finally {
    end();
  }
}

/** The outcome, with what is incompatible among its diagnostics. What couldn't be made can't be compared. */
async function compared(
  against: string,
  outcome: GenerateOutcome,
  request: GenerateRequest,
  context: Surrounded,
): Promise<GenerateOutcome> {
  if (outcome.diagnostics.some(({ severity }) => severity === "error")) return outcome;
  const { incompatible } = await import("./against.ts");
  return {
    ...outcome,
    diagnostics: [...outcome.diagnostics, ...(await incompatible(against, outcome, request, context))],
  };
}
