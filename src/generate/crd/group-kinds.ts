import { dirname, relative, sep } from "node:path";
import { kindName } from "../packages/kind-name.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Run } from "../run/run.ts";
import { fixHintForName } from "../schema/unknown-name.ts";
import { isKind, isKindList, unknownParent } from "./kinds.ts";

/** The input of {@link groupKinds}. */
export type KindsInput = Pick<Run, "roots" | "packages" | "sources" | "report">;

/** A kind of a group, and the types that are its versions. */
export interface GroupKind {
  readonly group: string;
  readonly types: readonly TypeNode[];
}

/** Returns the kinds of some packages, by `Kind.group`. Reports types that look like kinds and aren't. */
export function groupKinds(input: KindsInput): ReadonlyMap<string, GroupKind> {
  const byGroupKind = new Map<string, { group: string; types: TypeNode[] }>();
  for (const pkg of input.roots) {
    for (const type of input.packages.typesOf(pkg)) {
      const kind = isKind(type, input.sources);
      if (!kind) checkNoKind(type, input);
      if (!kind || pkg.skipped) continue;
      const group = pkg.group;
      if (group === undefined) {
        reportMissingGroup(type, input);
        continue;
      }
      const name = kindName(type);
      const key = group === "" ? name : `${name}.${group}`;
      const entry = byGroupKind.get(key) ?? { group, types: [] };
      if (isNewVersion(entry.types, type, input)) entry.types.push(type);
      byGroupKind.set(key, entry);
    }
  }
  return byGroupKind;
}

function isNewVersion(before: readonly TypeNode[], type: TypeNode, input: KindsInput): boolean {
  const same = before.find((other) => other.package.version === type.package.version);
  if (!same) return true;
  input.report({
    id: "duplicate-kind",
    severity: "error",
    message: `the kind ${type.name} of version ${type.package.version} is declared twice`,
    ...type.at,
    hint: `the other declaration is in line ${same.at.line} of ${asImported(same.file, type.at.file)}`,
  });
  return false;
}

/** Returns a file's path as an import in another one: `./game-types.ts`. */
function asImported(file: string, from: string): string {
  const way = relative(dirname(from), file).replaceAll(sep, "/");
  return way.startsWith(".") ? way : `./${way}`;
}

/** Reports types that may be meant as kinds but would be silently ignored, because of their markers or an unknown parent. */
function checkNoKind(type: TypeNode, input: KindsInput): void {
  const unknown = unknownParent(type, input.sources);
  if (unknown) {
    const { parent, reason } = unknown;
    const hint = fixHintForName(parent, input.sources.resolve(parent.target), input.sources);
    input.report({
      id: "unknown-type",
      severity: "error",
      message: `unknown type ${parent.text}: ${reason}`,
      ...parent.at,
      hint,
    });
    return;
  }
  const root = type.markers.all.find(({ definition, value }) => definition.declaresKind && value === true);
  if (root && !isKindList(type, input.sources)) {
    const { file, line, column } = root.line;
    input.report({
      id: "not-a-kind",
      severity: "error",
      message: `+kubebuilder:object:root=true is on ${type.name}, which isn't a kind`,
      file,
      line,
      column,
      hint: `write \`interface ${type.name} extends KubernetesObject\`, or remove the marker`,
    });
  }
}

/** Reports kinds without a group, for which no CRD can be generated. */
function reportMissingGroup(type: TypeNode, input: KindsInput): void {
  const wanted = type.markers.all.some(({ definition }) => definition.crd ?? definition.declaresKind);
  if (!wanted && !type.declaration.exported) return;
  input.report({
    id: "missing-group",
    severity: wanted ? "error" : "warning",
    message: `${type.name} is a kind, but its package has no API group`,
    ...type.at,
    hint: wanted
      ? "add `// +groupName=…` to a file of the package, followed by an empty line"
      : "add `// +groupName=…` to a file of the package, or `// +kubebuilder:skip` if the CRD belongs to another project, followed by an empty line",
  });
}
