import type { Diagnostic, Fix } from "./diagnostic.ts";
import { displayPath } from "./render-text.ts";

/** Converts diagnostics to the value of `diagnostics` in the output of `--json`. */
export function toJsonDiagnostics(
  diagnostics: readonly Diagnostic<string>[],
  cwd: string,
): readonly Diagnostic<string>[] {
  return diagnostics.map(({ id, severity, message, file, line, column, hint, fixes }) => ({
    id,
    severity,
    message,
    file: file === "" ? "" : displayPath(file, cwd),
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
    ...(fixes === undefined ? {} : { fixes: fixes.map((fix) => displayedFix(fix, cwd)) }),
  }));
}

function displayedFix({ title, edits }: Fix, cwd: string): Fix {
  return { title, edits: edits.map((edit) => ({ ...edit, file: displayPath(edit.file, cwd) })) };
}
