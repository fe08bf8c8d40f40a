// Types with a fixed schema in controller-gen (crd/known_types.go), by their TypeScript and Go names.

import { quantityPattern } from "../../../kubernetes/quantity.ts";
import type { JSONSchema } from "./json-schema.ts";

const intOrString: JSONSchema = {
  "x-kubernetes-int-or-string": true,
  anyOf: [{ type: "integer" }, { type: "string" }],
};

const quantity: JSONSchema = { ...intOrString, pattern: quantityPattern };

const strings: JSONSchema = { type: "string" };

const embeddedObjectMeta: JSONSchema = {
  type: "object",
  properties: {
    name: strings,
    namespace: strings,
    annotations: { type: "object", additionalProperties: strings },
    labels: { type: "object", additionalProperties: strings },
    finalizers: { type: "array", items: strings },
  },
};

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";

/** Formats a reference to a Go type as controller-gen does. */
export function coreRef(goPackage: string, name: string): string {
  return `#/definitions/${goPackage.replaceAll("~", "~0").replaceAll("/", "~1")}~0${name}`;
}

/** Returns the package and name in a reference; undefined if it doesn't refer to a Go type. */
export function coreRefParts(ref: string): { goPackage: string; name: string } | undefined {
  const match = /^#\/definitions\/(.+)~0([^~]+)$/.exec(ref);
  if (!match?.[1] || !match[2]) return undefined;
  return { goPackage: match[1].replaceAll("~1", "/"), name: match[2] };
}

export const typeMetaRef = coreRef(metaV1, "TypeMeta");
export const objectMetaRef = coreRef(metaV1, "ObjectMeta");

/** Returns the fixed schema of a reference. */
export function knownSchema(ref: string, options: { generateEmbeddedObjectMeta: boolean }): JSONSchema | undefined {
  if (ref === objectMetaRef) return options.generateEmbeddedObjectMeta ? embeddedObjectMeta : { type: "object" };
  return fixed.get(ref);
}

/** Returns whether a schema refers to a Quantity or IntOrString, whose schemas have no type. */
export function isIntOrString({ $ref }: JSONSchema): boolean {
  return $ref !== undefined && fixed.get($ref)?.["x-kubernetes-int-or-string"] === true;
}

const fixed = new Map<string, JSONSchema>([
  [coreRef(metaV1, "Time"), { type: "string", format: "date-time" }],
  [coreRef(metaV1, "MicroTime"), { type: "string", format: "date-time" }],
  [coreRef(metaV1, "Duration"), { type: "string" }],
  [coreRef(metaV1, "Fields"), { type: "object", additionalProperties: true }],
  [coreRef("k8s.io/apimachinery/pkg/api/resource", "Quantity"), quantity],
  [coreRef("k8s.io/apimachinery/pkg/util/intstr", "IntOrString"), intOrString],
  [
    coreRef("k8s.io/apimachinery/pkg/runtime", "RawExtension"),
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  ],
  [coreRef(`${metaV1}/unstructured`, "Unstructured"), { type: "object" }],
  [
    coreRef("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON"),
    { "x-kubernetes-preserve-unknown-fields": true },
  ],
  [
    coreRef("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1", "JSON"),
    { "x-kubernetes-preserve-unknown-fields": true },
  ],
]);

/** Scalar types of the runtime's API module, whose schemas are inlined like those of Go's own scalars. */
export const scalarSchemas: ReadonlyMap<string, JSONSchema> = new Map<string, JSONSchema>([
  ["Int32", { type: "integer", format: "int32" }],
  ["Int64", { type: "integer", format: "int64" }],
  ["Float32", { type: "number" }],
  ["Float64", { type: "number" }],
  ["Bytes", { type: "string", format: "byte" }],
  ["UID", { type: "string" }],
]);

/** Types of the runtime's API module that are other names for Go types with their own schemas. */
export const aliasRefs: ReadonlyMap<string, string> = new Map([
  ["Time", coreRef(metaV1, "Time")],
  ["MicroTime", coreRef(metaV1, "MicroTime")],
  ["Duration", coreRef(metaV1, "Duration")],
  ["Quantity", coreRef("k8s.io/apimachinery/pkg/api/resource", "Quantity")],
  ["IntOrString", coreRef("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")],
  ["RawExtension", coreRef("k8s.io/apimachinery/pkg/runtime", "RawExtension")],
  ["JSONValue", coreRef("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON")],
  ["ObjectMeta", objectMetaRef],
  ["TypeMeta", typeMetaRef],
  ["ListMeta", coreRef(metaV1, "ListMeta")],
  ["OwnerReference", coreRef(metaV1, "OwnerReference")],
  ["ManagedFieldsEntry", coreRef(metaV1, "ManagedFieldsEntry")],
]);

/** The reference of `KubernetesObject`, which no Go package declares. */
export const kubernetesObjectRef = "#/definitions/@kubewright~1runtime~1api~0KubernetesObject";

/** The schema of `KubernetesObject`: inlined type metadata and optional object metadata. */
export const kubernetesObjectSchema: JSONSchema = {
  type: "object",
  allOf: [{ $ref: typeMetaRef }],
  properties: { metadata: { $ref: objectMetaRef } },
};
