import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CrdOptions } from "../options/index.ts";
import type { Packages } from "../packages/collect.ts";
import type { ApiPackage } from "../packages/nodes.ts";
import type { CoreTypes } from "../schema/builder.ts";
import { createSchemata } from "../schema/schemata.ts";
import type { Sources } from "../source/sources.ts";
import { type GeneratedCrd, generateCrds } from "./crds.ts";

/** The input of the generator `crd`. */
export interface CrdGeneratorInput {
  readonly options: CrdOptions;
  readonly roots: readonly ApiPackage[];
  readonly packages: Packages;
  readonly sources: Sources;
  readonly core: CoreTypes;
  readonly toolVersion: string;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Generates the CRDs and their file names. */
export function crdDocuments(input: CrdGeneratorInput): (GeneratedCrd & { readonly name: string })[] {
  const { options, roots, packages, sources, core, report } = input;
  const schemata = createSchemata({ options, sources, packages, core, maxDescLen: options.maxDescLen, report });
  const crds = generateCrds({
    roots,
    packages,
    sources,
    schemata,
    toolVersion: options.omitToolVersion ? undefined : input.toolVersion,
    maxDescLen: options.maxDescLen,
    preserveUnknownFields: options.preserveUnknownFields,
    report,
  });
  return crds.flatMap((made) => {
    const { group, names } = made.document.spec;
    const name = `${group}_${names.plural}.yaml`;
    if (!/[/\\]/.test(name)) return [{ ...made, name }];
    const message = `invalid file name for the CRD: ${JSON.stringify(name)}: groups and plurals must not contain slashes`;
    const at = made.types[0]?.at ?? { file: "", line: 0, column: 0 };
    report({ id: "bad-crd-name", severity: "error", message, ...at });
    return [];
  });
}
