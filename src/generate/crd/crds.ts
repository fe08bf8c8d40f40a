import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { byBytes } from "../../text/byte-order.ts";
import type { CrdOptions } from "../options/index.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Run } from "../run/run.ts";
import type { CoreTypes } from "../schema/builder.ts";
import { createSchemata, type Schemata } from "../schema/schemata.ts";
import { buildCrd } from "./build.ts";
import { type GroupKind, groupKinds, type KindsInput } from "./group-kinds.ts";
import { versionSchema } from "./version-schema.ts";

/** The input of {@link generateCrds}. */
export interface CrdInput extends KindsInput, Pick<CrdOptions, "maxDescLen" | "preserveUnknownFields"> {
  readonly schemata: Schemata;
  /** Value of the version annotation; undefined leaves the annotation out. */
  readonly toolVersion: string | undefined;
}

/** A CRD and the types that are its versions. */
export interface GeneratedCrd {
  readonly document: CustomResourceDefinition;
  /** Includes types whose version was skipped. */
  readonly types: readonly TypeNode[];
}

/** Generates the CRDs of the generator `crd`, with their file names. */
export function crdDocuments(
  run: Run,
  options: CrdOptions,
  core: CoreTypes,
): (GeneratedCrd & { readonly name: string })[] {
  const { request, report } = run;
  const schemata = createSchemata({ ...run, options, core, maxDescLen: options.maxDescLen });
  const toolVersion = options.omitToolVersion ? undefined : request.toolVersion;
  return generateCrds({ ...run, ...options, schemata, toolVersion }).flatMap((made) => {
    const { group, names } = made.document.spec;
    const name = `${group}_${names.plural}.yaml`;
    if (!/[/\\]/.test(name)) return [{ ...made, name }];
    const message = `invalid file name for the CRD: ${JSON.stringify(name)}: groups and plurals must not contain slashes`;
    const at = made.types[0]?.at ?? { file: "", line: 0, column: 0 };
    report({ id: "bad-crd-name", severity: "error", message, ...at });
    return [];
  });
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
