import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { readValues } from "../../yaml/values.ts";
import { BaselineError, type BaselineFile } from "./baseline-file.ts";
import type { BreakingChange } from "./change.ts";
import { compareCrds } from "./compare-crds.ts";
import { type Crd, isCrd, versionAnnotation } from "./crd.ts";

/**
 * Returns the CRDs in a YAML text and ignores all other documents.
 *
 * @throws YamlError
 */
function crdsIn(text: string): Crd[] {
  // Most files contain no CRD, so they aren't parsed.
  return text.includes("CustomResourceDefinition") ? readValues(text).filter(isCrd) : [];
}

/** A CRD and its file. */
interface Placed {
  readonly crd: Crd;
  readonly path: string;
}

/**
 * Reports incompatible changes from `before` to `after`, the files as they are generated now. Each is an error in the new
 * file, or in the old file if a CRD was removed. Old CRDs that no generator wrote count only if a CRD of the same name is
 * generated.
 *
 * @throws BaselineError for invalid YAML
 */
export function breakingDiagnostics(before: readonly BaselineFile[], after: readonly BaselineFile[]): Diagnostic[] {
  const now = byName(after);
  return [...byName(before)].flatMap(([name, old]) => {
    const made = now.get(name);
    if (made) return compareCrds(old.crd, made.crd).map((change) => diagnostic(change, made.path));
    if (old.crd.metadata.annotations?.[versionAnnotation] === undefined) return [];
    const message = "its kind is gone: removing the CRD removes all of its objects";
    return [diagnostic({ id: "crd-removed", crd: name, message }, old.path)];
  });
}

function byName(files: readonly BaselineFile[]): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  for (const { path, text } of files) {
    for (const crd of parse(path, text))
      if (!placed.has(crd.metadata.name)) placed.set(crd.metadata.name, { crd, path });
  }
  return placed;
}

function parse(path: string, text: string): Crd[] {
  try {
    return crdsIn(text);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new BaselineError(`can't compare with ${path}: ${reason}`);
  }
}

function diagnostic({ id, crd, version, field, message }: BreakingChange, file: string): Diagnostic {
  const place = [crd, version, field].filter((part) => part !== undefined).join(" ");
  return { id, severity: "error", message: `${place}: ${message}`, file, line: 0, column: 0 };
}
