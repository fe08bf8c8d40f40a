import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { byBytes } from "../../text/byte-order.ts";
import type { Packages } from "../packages/collect.ts";
import type { ApiPackage, TypeNode } from "../packages/nodes.ts";
import type { Schemata } from "../schema/schemata.ts";
import type { Sources } from "../source/sources.ts";
import { buildCrd } from "./build.ts";
import { type GroupKind, groupKinds } from "./group-kinds.ts";
import { versionSchema } from "./version-schema.ts";

/** The input of {@link generateCrds}. */
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
export interface GeneratedCrd {
  readonly document: CustomResourceDefinition;
  /** Includes types whose version was skipped. */
  readonly types: readonly TypeNode[];
}

/** Generates the CRDs of all kinds in the packages, sorted by kind and group. */
export function generateCrds(input: CrdInput): GeneratedCrd[] {
  const byGroupKind = groupKinds(input);
  const keys = [...byGroupKind.keys()].sort(byBytes);
  return keys.flatMap((key) => {
    const { group, types } = byGroupKind.get(key) as GroupKind;
    const crd = buildCrd(group, types, (type) => versionSchema(input.schemata, type, input.maxDescLen), input.report);
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
