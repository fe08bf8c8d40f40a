import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { PackageSettings } from "../markers/index.ts";
import type { ConstValue, Position, SourceFile } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";

/** Group and version of a package, as far as they are set. */
export interface PackageIdentity {
  readonly group?: string;
  readonly version?: string;
}

interface GroupVersionCall {
  readonly group?: string;
  readonly version?: string;
  readonly at: Position;
}

/**
 * Returns group and version from the markers, or else from the literal arguments of `groupVersion(…)`. Reports an error if both
 * are set and differ.
 */
export function packageIdentity(
  files: readonly SourceFile[],
  settings: PackageSettings,
  sources: Sources,
  report: (diagnostic: Diagnostic) => void,
): PackageIdentity {
  const { group, version } = settings;
  const calls = files.flatMap((file) => groupVersionCalls(file, sources));
  for (const call of calls) {
    compare("group", "groupName", group, call.group, call.at, report);
    compare("version", "versionName", version, call.version, call.at, report);
  }
  return { group: group ?? calls[0]?.group, version: version ?? calls[0]?.version };
}

function compare(
  what: string,
  marker: string,
  marked: string | undefined,
  called: string | undefined,
  at: Position,
  report: (diagnostic: Diagnostic) => void,
): void {
  if (marked === undefined || called === undefined || marked === called) return;
  report({
    id: "group-version-mismatch",
    severity: "error",
    message: `groupVersion(…) sets the ${what} "${called}", but +${marker}=${marked} in the same package sets "${marked}"`,
    ...at,
    hint: "set both to the same value",
  });
}

function groupVersionCalls(file: SourceFile, sources: Sources): GroupVersionCall[] {
  return file.declarations.flatMap((declaration) => {
    if (declaration.kind !== "value" || declaration.value.kind !== "call") return [];
    const { callee, args, at } = declaration.value;
    if (
      callee.kind !== "import" ||
      callee.name !== "groupVersion" ||
      !callee.specifier.startsWith("@kubewright/runtime")
    ) {
      return [];
    }
    return [{ group: literalText(args[0], sources), version: literalText(args[1], sources), at }];
  });
}

function literalText(value: ConstValue | undefined, sources: Sources): string | undefined {
  if (value?.kind === "literal" && typeof value.value === "string") return value.value;
  if (value?.kind !== "reference") return undefined;
  const resolved = sources.resolve(value.target, "value");
  return resolved.kind === "value" && resolved.declaration.value.kind === "literal"
    ? literalText(resolved.declaration.value, sources)
    : undefined;
}
