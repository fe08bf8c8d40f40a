import { readFileSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import type { ReportedDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { displayPath } from "../../../diagnostics/index.ts";
import { applyEdits } from "../../../diagnostics/text-edits.ts";
import { generate } from "../../../generate/generate.ts";
import type { PlannedWrite } from "../../../generate/output/plan.ts";
import type { CommandResult } from "../../framework/command.ts";
import { cacheFor } from "../../generate-call/cache.ts";
import type { GenerateCall } from "../../generate-call/call.ts";
import { noteFiles } from "../../generate-call/stamp.ts";
import { type ExecuteContext, execute } from "./execute.ts";
import { writeAll } from "./write.ts";

/** A fix can uncover the next mistake of the same marker. */
const mostRounds = 10;

/** `--fix`: applies the fixes of diagnostics that have exactly one, then generates. */
export async function fixAndExecute(call: GenerateCall, context: ExecuteContext): Promise<CommandResult> {
  const { cwd, globals, signal, terminal } = context;
  const fixed: ReportedDiagnostic[] = [];
  const changed = new Map<string, PlannedWrite>();
  for (let round = 0; round < mostRounds; round++) {
    signal.throwIfAborted();
    const { diagnostics } = await generate(call.request, cacheFor(cwd, globals.dryRun), noteFiles().files);
    const fixable = diagnostics.filter(({ fixes, file }) => fixes?.length === 1 && isInside(file, cwd));
    if (fixable.length === 0) break;
    const writes = writesOf(fixable);
    for (const write of writes) changed.set(write.path, write);
    fixed.push(...fixable);
    if (globals.dryRun) break;
    writeAll(writes, cwd);
  }
  for (const { file, line, fixes } of fixed) {
    terminal.note(`${globals.dryRun ? "would fix" : "fixed"} ${displayPath(file, cwd)}:${line}: ${fixes?.[0]?.title}`);
  }
  const result = await execute(call, context, noteFiles());
  const files = [...changed.keys()].map((path) => displayPath(path, cwd));
  return {
    ...result,
    files: [...files.map((path) => ({ path, action: "update" as const })), ...(result.files ?? [])],
    ...(result.operations === undefined
      ? {}
      : { operations: [...files.map((path) => ({ op: "update" as const, path })), ...result.operations] }),
  };
}

/** Whether a file is in the working directory, also by its real path. */
function isInside(file: string, cwd: string): boolean {
  const path = relative(realpathSync(cwd), realpathSync(file));
  return path !== "" && !/^\.\.(?:[\\/]|$)/.test(path) && !/^([A-Za-z]:|[\\/])/.test(path);
}

function writesOf(fixable: readonly ReportedDiagnostic[]): PlannedWrite[] {
  const edits = fixable.flatMap(({ fixes }) => fixes?.[0]?.edits ?? []);
  return [...new Set(edits.map(({ file }) => file))].map((path) => {
    const before = readFileSync(path, "utf8");
    return {
      path,
      action: "update",
      before,
      after: applyEdits(
        before,
        edits.filter(({ file }) => file === path),
      ),
    };
  });
}
