import { existsSync, readFileSync } from "node:fs";
import { displayPath, renderText, toJsonDiagnostics } from "../../../diagnostics/index.ts";
import type { GenerateOutcome } from "../../../generate/generate.ts";
import type { GeneratorConfig } from "../../../generate/options/index.ts";
import { styled } from "../../../text/terminal.ts";
import type { CommandContext, CommandResult } from "../../framework/command.ts";
import { docsLink } from "../../framework/docs-links.ts";

/** Prints the diagnostics with code frames, and links to the reference. */
export function showDiagnostics(
  { diagnostics }: GenerateOutcome,
  { terminal, cwd }: Pick<CommandContext, "terminal" | "cwd">,
): void {
  if (diagnostics.length === 0) return;
  const readSource = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  terminal.print(renderText(diagnostics, { cwd, readSource, paint: terminal.color ? styled : undefined }));
  if (!terminal.links) return;
  const ids = [...new Set(diagnostics.map(({ id }) => id))];
  terminal.print(`See also:\n${ids.map((id) => `  ${docsLink("diagnostics", id)}\n`).join("")}`);
}

/** Converts an outcome to the result of a command. */
export function result(exitCode: 0 | 1, { diagnostics, plan }: GenerateOutcome, cwd: string): CommandResult {
  return {
    exitCode,
    diagnostics: toJsonDiagnostics(diagnostics, cwd),
    files: plan.writes.map(({ path, action }) => ({ path: displayPath(path, cwd), action })),
  };
}

/** `--dry-run`: lists every path that would be written, one per line. */
export function dryRun(outcome: GenerateOutcome, exitCode: 0 | 1, cwd: string): CommandResult {
  const operations = outcome.plan.writes.flatMap(({ path, action }) =>
    action === "unchanged" ? [] : [{ op: action, path: displayPath(path, cwd) }],
  );
  return {
    ...result(exitCode, outcome, cwd),
    operations,
    output: operations.map(({ op, path }) => `${op} ${path}\n`).join(""),
  };
}

/** Lists the files that were written. */
export function listWrites(
  outcome: GenerateOutcome,
  config: GeneratorConfig,
  { terminal, cwd }: Pick<CommandContext, "terminal" | "cwd">,
): void {
  if (foundNothing(outcome, config)) {
    terminal.note("nothing to write: no kinds or markers for these generators found in the paths");
  }
  const { writes } = outcome.plan;
  // Without a terminal, as in a script, silence means success.
  if (terminal.live && writes.length > 0 && writes.every(({ action }) => action === "unchanged")) {
    terminal.note("All generated files are up to date.");
  }
  for (const { path, action } of writes) {
    if (action === "unchanged") terminal.detail(`unchanged ${displayPath(path, cwd)}`);
    else terminal.note(`${action} ${displayPath(path, cwd)}`);
  }
}

/** Whether a run without errors generated nothing. Without a message, that would look like a successful run. */
function foundNothing({ plan, diagnostics }: GenerateOutcome, { generators, output }: GeneratorConfig): boolean {
  const asked = (["crd", "rbac", "webhook", "schemapatch", "jsonschema", "apidocs", "policy"] as const).filter(
    (name) => generators[name] && output[name]?.kind !== "none",
  );
  const failed = diagnostics.some(({ severity }) => severity === "error");
  return !failed && asked.length > 0 && plan.writes.length === 0 && plan.stdout === "";
}
