// Reads the extracted core types, from which scripts generate TypeScript.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";
const apiextensionsV1 = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";

/** Returns all packages of a version's tables: data by Go package. */
export function readPackages(directory) {
  const packages = new Map();
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith(".json")) continue;
    const data = JSON.parse(readFileSync(join(directory, file), "utf8"));
    for (const [path, pkg] of Object.entries(data.packages)) packages.set(path, pkg);
  }
  return packages;
}

/** Returns the module of the runtime's API for a Go package, such as `apps/v1`; undefined if it isn't an API group. */
export function moduleOf(goPackage) {
  if (goPackage === metaV1) return "meta/v1";
  if (goPackage === apiextensionsV1) return "apiextensions/v1";
  return /^k8s\.io\/api\/([a-z0-9]+\/[a-z0-9]+)$/.exec(goPackage)?.[1];
}

/** Splits a reference of the tables, `Name` or `package.Name`, into two parts. */
export function splitReference(reference, goPackage) {
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
export const handWritten = new Map([
  ...metaNames.map((name) => [`${metaV1}.${name}`, name]),
  ["k8s.io/apimachinery/pkg/api/resource.Quantity", "Quantity"],
  ["k8s.io/apimachinery/pkg/util/intstr.IntOrString", "IntOrString"],
  ["k8s.io/apimachinery/pkg/runtime.RawExtension", "RawExtension"],
  ["k8s.io/apimachinery/pkg/types.UID", "UID"],
]);

/** Names that meta/v1 re-exports from index.ts. */
export const metaExports = [...metaNames, "KubernetesList", "KubernetesObject"].sort();

/** The JSON form of types with their own marshaler, which isn't in their Go fields. */
export const ownJson = new Map([
  [`${metaV1}.FieldsV1`, "{ [key: string]: unknown }"],
  [`${metaV1}.GroupVersion`, "string"],
  [`${apiextensionsV1}.JSON`, "unknown"],
  [`${apiextensionsV1}.JSONSchemaPropsOrBool`, "JSONSchemaProps | boolean"],
  [`${apiextensionsV1}.JSONSchemaPropsOrArray`, "JSONSchemaProps | JSONSchemaProps[]"],
  [`${apiextensionsV1}.JSONSchemaPropsOrStringArray`, "JSONSchemaProps | string[]"],
]);

/** Types of Go programs that are never serialized. */
export const notOnTheWire = new Set([`${metaV1}.InternalEvent`]);
