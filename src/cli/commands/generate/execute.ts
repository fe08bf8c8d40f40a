import { displayPath } from "../../../diagnostics/index.ts";
import { loadAndRun, type RunGenerators } from "../../../generate/cache/index.ts";
import type { GenerateOutcome } from "../../../generate/generate.ts";
import { generate } from "../../../generate/generate.ts";
import type { GenerateRequest } from "../../../generate/run/request.ts";
import type { Files } from "../../../generate/source/files.ts";
import type { CommandContext, CommandResult } from "../../framework/command.ts";
import { interrupted } from "../../framework/errors.ts";
import type { Terminal } from "../../framework/terminal.ts";
import { cacheFor } from "../../generate-call/cache.ts";
import type { GenerateCall } from "../../generate-call/call.ts";
import { type NotedFiles, stampCall } from "../../generate-call/stamp.ts";
import { dryRun, listWrites, result, showDiagnostics } from "./report.ts";

/** The part of the context that the work needs, without parsed arguments. */
export type ExecuteContext = Pick<CommandContext, "cwd" | "env" | "globals" | "rawArgs" | "terminal" | "signal">;

/** Executes a call. */
export async function execute(
  { request, flags, messages }: GenerateCall,
  context: ExecuteContext,
  noted: NotedFiles,
): Promise<CommandResult> {
  const { cwd, globals, signal, terminal } = context;
  const made = await watched(terminal, noted.files, (files) =>
    generate(request, cacheFor(cwd, globals.dryRun), files, runOnce),
  );
  const outcome = flags.against === undefined ? made : await compared(flags.against, made, request, context);
  // The work doesn't yield to the event loop, so wait for a pending signal. After this point, all results are reported.
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) throw interrupted();
  for (const { how, line } of messages) {
    if (how === "warn") terminal.warn(line);
    else terminal.onSuccess(how, line);
  }
  if (!globals.json) showDiagnostics(outcome, context);
  const exitCode = outcome.diagnostics.some((diagnostic) => diagnostic.severity === "error") ? 1 : 0;
  // Incompatible changes don't prevent the check for stale files.
  const failed = made.diagnostics.some(({ severity }) => severity === "error");
  if (failed && !flags.keepGoing) return result(1, outcome, cwd);
  if (flags.check) return check(outcome, exitCode, cwd);
  if (globals.dryRun) return dryRun(outcome, exitCode, cwd);
  if (outcome.plan.writes.length > 0) (await import("./write.ts")).write(outcome, cwd);
  listWrites(outcome, request.config, context);
  if (messages.length === 0) stampCall(context.rawArgs, request, outcome, noted);
  return { ...result(exitCode, outcome, cwd), output: outcome.plan.stdout, exact: true };
}

/** Runs the generators in a process that ends afterwards. */
const runOnce: RunGenerators = async (request, files) => {
  (await import("./v8-flags.ts")).setFlagsForGenerate();
  return loadAndRun(request, files);
};

/** Runs the generator, and shows its progress on a terminal. */
async function watched<T>(terminal: Terminal, from: Files, work: (files: Files) => Promise<T>): Promise<T> {
  if (!terminal.live) return work(from);
  const { filesWithProgress } = await import("./progress.ts");
  const { files, end } = filesWithProgress(terminal, from);
  try {
    return await work(files);
  } finally {
    end();
  }
}

/** Adds incompatible changes to the diagnostics of an outcome. An outcome with errors can't be compared. */
async function compared(
  against: string,
  outcome: GenerateOutcome,
  request: GenerateRequest,
  context: ExecuteContext,
): Promise<GenerateOutcome> {
  if (outcome.diagnostics.some(({ severity }) => severity === "error")) return outcome;
  const { incompatible } = await import("./against.ts");
  return {
    ...outcome,
    diagnostics: [...outcome.diagnostics, ...(await incompatible(against, outcome, request, context))],
  };
}

/** `--check`: writes nothing. If files are stale, it prints a diff and the exit code is 1. */
async function check(outcome: GenerateOutcome, exitCode: 0 | 1, cwd: string): Promise<CommandResult> {
  const stale = outcome.plan.writes.some((write) => write.action !== "unchanged");
  if (!stale) return result(exitCode, outcome, cwd);
  const { unifiedDiff } = await import("../../../generate/output/diff.ts");
  const output = unifiedDiff(outcome.plan.writes, (path) => displayPath(path, cwd));
  return { ...result(1, outcome, cwd), output };
}
