import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { truncate } from "../description.ts";
import type { Packages } from "../packages/collect.ts";
import type { ApiPackage, TypeNode } from "../packages/nodes.ts";
import { type JSONSchema, mapChildren } from "../schema/json-schema.ts";
import { byteOrder } from "../schema/merge.ts";
import type { Schemata } from "../schema/schemata.ts";
import type { Sources } from "../source/sources.ts";
import { buildCrd } from "./build.ts";
import type { CustomResourceDefinition } from "./document.ts";
import { isKind, isKindList } from "./kinds.ts";
import { crdEffects } from "./markers/effects.ts";

/** What the CRDs of a run are made from. */
export interface CrdInput {
  /** The packages that `paths=` names. */
  readonly roots: readonly ApiPackage[];
  readonly packages: Packages;
  readonly sources: Sources;
  readonly schemata: Schemata;
  /** Value of the version annotation; undefined leaves the annotation out. */
  readonly toolVersion: string | undefined;
  /** Longest description in bytes; 0 drops them all, undefined or negative keeps them. */
  readonly maxDescLen?: number;
  /** Value of `spec.preserveUnknownFields`; undefined leaves it out. */
  readonly preserveUnknownFields?: boolean;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** A CRD and the types that are its versions. */
export interface MadeCrd {
  readonly document: CustomResourceDefinition;
  /** Those whose version was skipped are among them. */
  readonly types: readonly TypeNode[];
}

/** Makes the CRDs of all kinds in the packages, sorted by kind and group. */
export function generateCrds(input: CrdInput): MadeCrd[] {
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
      const key = group === "" ? type.name : `${type.name}.${group}`;
      const entry = byGroupKind.get(key) ?? { group, types: [] };
      if (isNewVersion(entry.types, type, input)) entry.types.push(type);
      byGroupKind.set(key, entry);
    }
  }
  const keys = [...byGroupKind.keys()].sort(byteOrder);
  return keys.flatMap((key) => {
    const { group, types } = byGroupKind.get(key) as { group: string; types: TypeNode[] };
    const crd = buildCrd(
      group,
      types,
      (type) => shorten(input.schemata.complete(type), input.maxDescLen),
      input.report,
    );
    return crd ? [{ document: finish(crd, input), types }] : [];
  });
}

function finish(crd: CustomResourceDefinition, input: CrdInput): CustomResourceDefinition {
  if (input.toolVersion !== undefined) {
    const version = { "controller-gen.kubebuilder.io/version": input.toolVersion };
    crd.metadata.annotations = { ...crd.metadata.annotations, ...version };
  }
  if (input.preserveUnknownFields !== undefined) crd.spec.preserveUnknownFields = input.preserveUnknownFields;
  return crd;
}

function shorten(schema: JSONSchema, limit: number | undefined): JSONSchema {
  if (limit === undefined || limit < 0) return schema;
  const visit = (node: JSONSchema): JSONSchema => {
    const changed = { ...mapChildren(node, visit) };
    const text = truncate(changed.description ?? "", limit);
    if (text === "") delete changed.description;
    else changed.description = text;
    return changed;
  };
  return visit(schema);
}

function isNewVersion(before: readonly TypeNode[], type: TypeNode, input: CrdInput): boolean {
  const same = before.find((other) => other.package.version === type.package.version);
  if (!same) return true;
  input.report({
    id: "duplicate-kind",
    severity: "error",
    message: `the kind ${type.name} of version ${type.package.version} is declared twice`,
    ...type.at,
    hint: `the other one is in ${same.file}`,
  });
  return false;
}

/** A kind's markers on a type that is none would do nothing, so they are errors. */
function checkNoKind(type: TypeNode, input: CrdInput): void {
  const root = type.markers.get("kubebuilder:object:root").find((marker) => marker.value === true);
  if (root && !isKindList(type, input.sources)) {
    const { file, line, column } = root.line;
    input.report({
      id: "not-a-kind",
      severity: "error",
      message: `+kubebuilder:object:root=true stands on ${type.name}, which is not a kind`,
      file,
      line,
      column,
      hint: `write \`interface ${type.name} extends KubernetesObject\`, or take the marker away`,
    });
  }
}

/** Without a group there is no CRD. That is an error where a CRD is evidently wanted. */
function reportMissingGroup(type: TypeNode, input: CrdInput): void {
  const wanted = type.markers.all.some(
    (marker) => crdEffects.has(marker.name) || marker.name === "kubebuilder:object:root",
  );
  if (!wanted && !type.declaration.exported) return;
  input.report({
    id: "missing-group",
    severity: wanted ? "error" : "warning",
    message: `${type.name} is a kind, but its package has no API group`,
    ...type.at,
    hint: "write `// +groupName=…` into a file of the package, with a blank line below it",
  });
}
