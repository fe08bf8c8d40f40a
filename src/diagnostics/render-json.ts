import type { Diagnostic } from "./diagnostic.ts";
import { displayPath } from "./render-text.ts";

/** Diagnostics for machines, the values of `diagnostics` in the object that `--json` prints. */
export function toJsonDiagnostics(
  diagnostics: readonly Diagnostic<string>[],
  cwd: string,
): readonly Diagnostic<string>[] {
  return diagnostics.map(({ id, severity, message, file, line, column, hint }) => ({
    id,
    severity,
    message,
    file: file === "" ? "" : displayPath(file, cwd),
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
  }));
}
