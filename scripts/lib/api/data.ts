// Reads the extracted core types, from which scripts generate TypeScript.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";
const apiextensionsV1 = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";

/** A schema of the tables. scripts/core-types/README.md describes the format. */
export interface TypeSchema {
  readonly $ref?: string;
  readonly allOf?: readonly TypeSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly items?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TypeSchema | boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
}

/** The facts of the tables about a type besides its schema. */
export interface AboutType {
  readonly doc?: string;
  /** Known values of a string. */
  readonly values?: readonly string[];
  /** Whether the type writes its own JSON. */
  readonly marshals?: boolean;
  /** The type of the items, for lists. */
  readonly list?: string;
  readonly kind?: { readonly plural?: string; readonly scope?: string };
  /** The form of a type that is written by hand. */
  readonly shape?: TypeSchema;
}

/** The types of a Go package, by name. */
export interface TypePackage {
  readonly group: string;
  readonly version: string;
  readonly schemas: Readonly<Record<string, TypeSchema>>;
  readonly about: Readonly<Record<string, AboutType>>;
}

/** By the path of the Go package. */
export type TypePackages = ReadonlyMap<string, TypePackage>;

/** Returns all packages of a version's tables. */
export function readPackages(directory: string): TypePackages {
  const packages = new Map<string, TypePackage>();
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith(".json")) continue;
    const table: { packages: Record<string, TypePackage> } = JSON.parse(readFileSync(join(directory, file), "utf8"));
    for (const [path, content] of Object.entries(table.packages)) packages.set(path, content);
  }
  return packages;
}

/** Returns the module of the runtime's API for a Go package, such as `apps/v1`; undefined if it isn't an API group. */
export function moduleOf(goPackage: string): string | undefined {
  if (goPackage === metaV1) return "meta/v1";
  if (goPackage === apiextensionsV1) return "apiextensions/v1";
  return /^k8s\.io\/api\/([a-z0-9]+\/[a-z0-9]+)$/.exec(goPackage)?.[1];
}

/** Splits a reference of the tables, `Name` or `package.Name`, into two parts. */
export function splitReference(reference: string, goPackage: string): { goPackage: string; name: string } {
  const dot = reference.lastIndexOf(".");
  return dot < 0
    ? { goPackage, name: reference }
    : { goPackage: reference.slice(0, dot), name: reference.slice(dot + 1) };
}

const metaNames = [
  "TypeMeta",
  "ListMeta",
  "ObjectMeta",
  "OwnerReference",
  "ManagedFieldsEntry",
  "ShardInfo",
  "Time",
  "MicroTime",
  "Duration",
];

/** Types that packages/runtime/src/api/index.ts declares, by their Go names. */
export const handWritten: ReadonlyMap<string, string> = new Map([
  ...metaNames.map((name): [string, string] => [`${metaV1}.${name}`, name]),
  ["k8s.io/apimachinery/pkg/api/resource.Quantity", "Quantity"],
  ["k8s.io/apimachinery/pkg/util/intstr.IntOrString", "IntOrString"],
  ["k8s.io/apimachinery/pkg/runtime.RawExtension", "RawExtension"],
  ["k8s.io/apimachinery/pkg/types.UID", "UID"],
]);

/** Names that meta/v1 re-exports from index.ts. */
export const metaExports = [...metaNames, "KubernetesList", "KubernetesObject"].sort();

/** The JSON form of types with their own marshaler, which isn't in their Go fields. */
export const ownJson: ReadonlyMap<string, string> = new Map([
  [`${metaV1}.FieldsV1`, "{ [key: string]: unknown }"],
  [`${metaV1}.GroupVersion`, "string"],
  [`${apiextensionsV1}.JSON`, "unknown"],
  [`${apiextensionsV1}.JSONSchemaPropsOrBool`, "JSONSchemaProps | boolean"],
  [`${apiextensionsV1}.JSONSchemaPropsOrArray`, "JSONSchemaProps | JSONSchemaProps[]"],
  [`${apiextensionsV1}.JSONSchemaPropsOrStringArray`, "JSONSchemaProps | string[]"],
]);

/** Types of Go programs that are never serialized. */
export const notOnTheWire = new Set([`${metaV1}.InternalEvent`]);
