import { join } from "node:path";
import { displayPath } from "../../../diagnostics/index.ts";
import { type GenerateOutcome, planOutput } from "../../../generate/generate.ts";
import type { CommandContext, CommandResult } from "../../framework/command.ts";
import { CliError } from "../../framework/errors.ts";
import { hintText } from "../../framework/report.ts";
import type { GenerateCall } from "../../generate-call/call.ts";
import { nearestProject } from "../../models/nearest-project.ts";
import { dryRun, result, showDiagnostics } from "./report.ts";
import { write } from "./write.ts";

/**
 * `--watch`: generates again whenever an input changes, until it is interrupted. With `--json`, each run prints one line. Errors are
 * reported, and output is paused until they are fixed.
 *
 * @param again parses the call again, because PROJECT may change too
 */
export async function watchCall(
  call: GenerateCall,
  again: () => Promise<GenerateCall>,
  context: CommandContext,
): Promise<CommandResult> {
  const { cwd, globals, signal, terminal } = context;
  const { watch } = await import("../../../generate/watch/watch.ts");
  for (const { how, line } of call.messages) terminal[how](line);
  const project = nearestProject(cwd);
  let next: GenerateCall | undefined = call;
  await watch({
    signal,
    requestFiles: [join(cwd, "PROJECT"), ...(project ? [project.path] : [])],
    async request() {
      const { request } = next ?? (await again());
      next = undefined;
      return request;
    },
    async onOutput(made, request, changedAt) {
      const outcome = planOutput(made, request);
      if (!globals.json) showDiagnostics(outcome, context);
      const failed = outcome.diagnostics.some(({ severity }) => severity === "error");
      const stops = failed && request.keepGoing !== true;
      if (globals.dryRun && !stops) return context.emit(dryRun(outcome, failed ? 1 : 0, cwd));
      if (!stops) await write(outcome, cwd);
      const took = changedAt === undefined ? "" : ` (${Math.round(performance.now() - changedAt)} ms after the change)`;
      if (!globals.json) reportRun(outcome, stops, took, context);
      context.emit({ ...result(failed ? 1 : 0, outcome, cwd), output: outcome.plan.stdout, exact: true });
    },
    onReady: () => terminal.note(`${time()} watching for changes; press Ctrl-C to stop`),
    onProblem(error) {
      const isExpected = error instanceof CliError;
      terminal.warn(`${time()} ${error instanceof Error ? error.message : String(error)}`);
      if (isExpected && error.hint !== undefined) terminal.print(hintText(error.hint));
      if (!globals.json) return;
      const id = isExpected ? error.id : "watch-failed";
      const message = error instanceof Error ? error.message : String(error);
      context.emit({ exitCode: 1, diagnostics: [{ id, severity: "error", message, file: "", line: 0, column: 0 }] });
    },
  });
  return { exitCode: 130, silent: true };
}

function reportRun(
  { plan, diagnostics }: GenerateOutcome,
  stopped: boolean,
  took: string,
  { terminal, cwd }: CommandContext,
): void {
  const changes = plan.writes.filter(({ action }) => action !== "unchanged");
  for (const { path, action } of changes) terminal.note(`${time()} ${action} ${displayPath(path, cwd)}${took}`);
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  if (stopped)
    terminal.note(`${time()} nothing is written until ${errors === 1 ? "the error is" : `${errors} errors are`} fixed`);
  else if (changes.length === 0) terminal.note(`${time()} up to date${took}`);
}

/** Returns the time of day as `HH:MM:SS`. */
function time(): string {
  return new Date().toTimeString().slice(0, 8);
}
