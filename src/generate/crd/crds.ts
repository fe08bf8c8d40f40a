import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { byBytes } from "../../text/byte-order.ts";
import type { CrdOptions } from "../options/index.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Run } from "../run/run.ts";
import type { CoreTypes } from "../schema/builder.ts";
import { createSchemata, type Schemata } from "../schema/schemata.ts";
import { buildCrd } from "./build.ts";
import { type GroupKind, groupKinds, type KindsInput } from "./group-kinds.ts";
import { shortened, versionSchema } from "./version-schema.ts";

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

/** A CRD with the name of its file, before the options for its text are applied. */
export type NamedCrd = GeneratedCrd & { readonly name: string };

/** The CRDs of a run, with the schemas of the types that they consist of. */
export interface CrdModel {
  readonly crds: readonly NamedCrd[];
  readonly schemata: Schemata;
}

const models = new WeakMap<Run, CrdModel>();

/** Returns the CRDs of {@link crdModelOf}. */
export function crdsOf(run: Run, core: CoreTypes): readonly NamedCrd[] {
  return crdModelOf(run, core).crds;
}

/**
 * Returns the CRDs of all kinds in a run, with complete descriptions. They are generated once for all generators, with the options
 * of the generator `crd` if it is requested.
 */
export function crdModelOf(run: Run, core: CoreTypes): CrdModel {
  const cached = models.get(run);
  if (cached) return cached;
  // Other generators only describe the types, whose dangers `crd` reports.
  const options = run.request.config.generators.crd ?? { allowDangerousTypes: true, generateEmbeddedObjectMeta: false };
  const { maxDescLen } = options as Partial<CrdOptions>;
  const schemata = createSchemata({ ...run, options, core, maxDescLen });
  const crds = generateCrds({ ...run, schemata, toolVersion: undefined }).flatMap((made) => named(made, run));
  const model = { crds, schemata };
  models.set(run, model);
  return model;
}

function named(made: GeneratedCrd, { report }: Run): NamedCrd[] {
  const { group, names } = made.document.spec;
  const name = `${group}_${names.plural}.yaml`;
  if (!/[/\\]/.test(name)) return [{ ...made, name }];
  const message = `invalid file name for the CRD: ${JSON.stringify(name)}: groups and plurals must not contain slashes`;
  const at = made.types[0]?.at ?? { file: "", line: 0, column: 0 };
  report({ id: "bad-crd-name", severity: "error", message, ...at });
  return [];
}

/** Generates the CRDs of the generator `crd`, with their file names. */
export function crdDocuments(run: Run, options: CrdOptions, core: CoreTypes): NamedCrd[] {
  const toolVersion = options.omitToolVersion ? undefined : run.request.toolVersion;
  return crdsOf(run, core).map((crd) => ({ ...crd, document: finish(crd.document, { ...options, toolVersion }) }));
}

/** Generates the CRDs of all kinds in the packages, sorted by kind and group. */
export function generateCrds(input: CrdInput): GeneratedCrd[] {
  const byGroupKind = groupKinds(input);
  const keys = [...byGroupKind.keys()].sort(byBytes);
  return keys.flatMap((key) => {
    const { group, types } = byGroupKind.get(key) as GroupKind;
    const crd = buildCrd(group, types, (type) => versionSchema(input.schemata, type), input.report);
    return crd ? [{ document: finish(crd, input), types }] : [];
  });
}

/** Returns a CRD with the options for its text. */
function finish(
  crd: CustomResourceDefinition,
  { toolVersion, preserveUnknownFields, maxDescLen }: Omit<CrdInput, keyof KindsInput | "schemata">,
): CustomResourceDefinition {
  const { metadata, spec } = crd;
  const annotations = { ...metadata.annotations };
  if (toolVersion !== undefined) annotations["controller-gen.kubebuilder.io/version"] = toolVersion;
  return {
    ...crd,
    metadata: toolVersion === undefined ? metadata : { ...metadata, annotations },
    spec: {
      ...spec,
      ...(preserveUnknownFields === undefined ? {} : { preserveUnknownFields }),
      versions: spec.versions.map((version) => shortened(version, maxDescLen)),
    },
  };
}
