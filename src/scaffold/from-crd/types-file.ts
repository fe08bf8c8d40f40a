import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { typeName } from "../../kubernetes/type-name.ts";
import { lineComment } from "../../text/typescript.ts";
import { importLine } from "../code/print.ts";
import { originLine } from "../parts/origin.ts";
import { interfaceLines } from "./interface-lines.ts";
import type { MarkerTexts } from "./markers.ts";
import { TypeNames } from "./names.ts";
import { type ForeignTypes, fieldKeywords, TypeWriter } from "./type-writer.ts";

/** A types file, and the parts of the CRD that it can't express. */
export interface TypesFile {
  readonly text: string;
  /** Notes that begin with the path of a property. */
  readonly notes: readonly string[];
}

const ownAdvice =
  '// Edit this file: it is scaffolding for you to own. After each change, run "make manifests" to regenerate the CRD.';
const externalAdvice = "// The CRD belongs to another project. You can remove the fields that you don't use.";

/** Properties that every kind inherits. */
const inherited = ["apiVersion", "kind", "metadata"];

/** Exports of the runtime that types files may import, and JavaScript globals that a kind could shadow. */
const reserved = ["GroupVersion", "KubernetesList", "KubernetesObject", "ObjectMeta", "Record"];

/**
 * Generates the types of one version of a CustomResourceDefinition, with the markers from which the generator recreates it.
 *
 * @param input.header the beginning of a new file
 * @param input.taken names that other files of the directory export
 * @param input.external whether the CRD belongs to another project; the kind itself then has no markers
 * @param input.foreignTypes finds built-in Kubernetes types, which are imported
 * @param input.markerTexts writes the markers
 */
export function typesFile(
  crd: CustomResourceDefinition,
  version: CrdVersion,
  input: {
    header: string;
    taken: Iterable<string>;
    foreignTypes: ForeignTypes;
    markerTexts: MarkerTexts;
    external?: boolean;
  },
): TypesFile {
  const kind = typeName(crd.spec.names.kind);
  const schema = version.schema.openAPIV3Schema;
  const own = [kind, `${kind}List`];
  const names = new TypeNames([...reserved, ...runtimeNames, ...input.taken, ...own]);
  const isGenerated = crd.metadata.annotations?.["controller-gen.kubebuilder.io/version"] !== undefined;
  const writer = new TypeWriter(names, input.foreignTypes, input.markerTexts, isGenerated);
  const members = rootMembers(writer, schema, kind);
  const markers = [...input.markerTexts.ofKind(crd, version), ...writer.structMarkers(schema, ".")].map(lineComment);
  const root = [
    ...(input.external === true ? [] : [...markers, ""]),
    ...writer.description(schema, "."),
    ...interfaceLines(`${kind} extends KubernetesObject`, members),
  ].join("\n");
  const tail = [
    `/** ${kind}List contains a list of ${kind} */`,
    `export type ${kind}List = KubernetesList<${kind}>;`,
    "",
    `export const ${kind} = GroupVersion.kind<${kind}>("${crd.spec.names.kind}");`,
  ].join("\n");
  const imports = ["KubernetesList", "KubernetesObject", ...writer.imports].sort(byName);
  const head = [
    ...(input.header === "" ? [] : [input.header, ""]),
    importLine(imports, "@kubewright/runtime/api", "import type"),
    ...foreignImports(writer.foreign),
    'import { GroupVersion } from "./groupversion-info.ts";',
    "",
    lineComment(originLine(crd.metadata.name)),
    input.external === true ? externalAdvice : ownAdvice,
  ].join("\n");
  const notes = [...writer.notes, ...rootNotes(schema)].map((note) => `${version.name}: ${note}`);
  const first = version === crd.spec.versions[0] ? kindNotes(crd) : [];
  return { text: `${[head, ...writer.declarations, root, tail].join("\n\n")}\n`, notes: [...first, ...notes] };
}

const runtimeNames = ["Bytes", "Int32", "Int64", "IntOrString", "JSONValue", "Quantity", "RawExtension", "Time"];

/** Returns a kind's properties that aren't inherited, and the required ones. */
function rootMembers(writer: TypeWriter, schema: JSONSchema, kind: string): string[] {
  const required = new Set(schema.required ?? []);
  const again = inherited.filter((name) => required.has(name));
  if (again.includes("metadata")) writer.imports.add("ObjectMeta");
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !inherited.includes(name));
  const own = {
    properties: Object.fromEntries(properties),
    required: [...required].filter((name) => !inherited.includes(name)),
  };
  const redeclared = again.map((name) => `${name}: ${name === "metadata" ? "ObjectMeta" : "string"};`);
  const members = writer.members(own, { path: "", name: kind });
  return [...redeclared, ...(redeclared.length > 0 && members.length > 0 ? [""] : []), ...members];
}

/** The generator determines the type of a kind, and the schemas of inherited properties. */
function rootNotes(schema: JSONSchema): string[] {
  const properties = inherited.flatMap((name) => {
    const keys = Object.keys(schema.properties?.[name] ?? {}).filter((key) => key !== "type" && key !== "description");
    return keys.length === 0 ? [] : [`.${name} has ${keys.join(", ")}`];
  });
  return [
    ...(schema.type === "object" ? [] : [". has no type"]),
    ...fieldKeywords.filter((key) => schema[key] !== undefined).map((key) => `. has ${key}`),
    ...properties,
  ];
}

function foreignImports(types: ReadonlyMap<string, string>): string[] {
  const modules = [...new Set(types.values())].sort(byName);
  return modules.map((module) => {
    const names = [...types].filter(([, from]) => from === module).map(([name]) => name);
    return importLine(names.sort(byName), module, "import type");
  });
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Describes the parts of a CRD outside of its schemas that no marker can express. */
function kindNotes(crd: CustomResourceDefinition): string[] {
  const { names, versions, conversion, preserveUnknownFields } = crd.spec;
  return [
    ...(versions.some(({ served }) => served)
      ? []
      : ["spec.versions has no served version; all versions become served"]),
    ...(names.listKind === undefined || names.listKind === `${names.kind}List`
      ? []
      : [`spec.names.listKind is ${names.listKind}; it becomes ${names.kind}List`]),
    ...(conversion?.strategy === "Webhook"
      ? ["spec.conversion calls a webhook; scaffold create webhook --conversion makes one"]
      : []),
    ...(preserveUnknownFields === true ? ["spec.preserveUnknownFields is true; unknown fields will be dropped"] : []),
  ];
}
