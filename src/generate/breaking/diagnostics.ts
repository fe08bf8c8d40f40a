import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { BaselineError, type BaselineFile } from "./baseline-file.ts";
import type { BreakingChange } from "./change.ts";
import { compareCrds } from "./compare-crds.ts";
import { type Crd, versionAnnotation } from "./crd.ts";
import { crdsIn } from "./documents.ts";

/** A CRD and the file it stands in. */
interface Placed {
  readonly crd: Crd;
  readonly path: string;
}

/**
 * What of `after`, the files as they are made now, is incompatible with `before`: an error each, in the file of now; in
 * the file of before where a CRD is gone. CRDs of before that no generator wrote count only if one is made under their name.
 *
 * @throws BaselineError for YAML that can't be read
 */
export function breakingDiagnostics(before: readonly BaselineFile[], after: readonly BaselineFile[]): Diagnostic[] {
  const now = byName(after);
  return [...byName(before)].flatMap(([name, old]) => {
    const made = now.get(name);
    if (made) return compareCrds(old.crd, made.crd).map((change) => diagnostic(change, made.path));
    if (old.crd.metadata.annotations?.[versionAnnotation] === undefined) return [];
    const message = "no kind makes it any more: removing it removes all its objects";
    return [diagnostic({ id: "crd-removed", crd: name, message }, old.path)];
  });
}

function byName(files: readonly BaselineFile[]): Map<string, Placed> {
  const found = new Map<string, Placed>();
  for (const { path, text } of files) {
    for (const crd of parse(path, text)) if (!found.has(crd.metadata.name)) found.set(crd.metadata.name, { crd, path });
  }
  return found;
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
