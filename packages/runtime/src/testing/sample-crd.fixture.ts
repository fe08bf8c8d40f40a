import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";

export interface Sample extends KubernetesObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

export const Sample: Kind<Sample> = groupVersion("test.kubewright.io", "v1").kind<Sample>("Sample");

const text = (more: object = {}): object => ({ type: "string", ...more });
const whole = (more: object = {}): object => ({ type: "integer", ...more });
const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

/** One field per feature of schemas. */
export const sampleFields: Record<string, object> = {
  text: text({ minLength: 2, maxLength: 5, pattern: "^[a-z]+$" }),
  one: text({ maxLength: 1 }),
  flag: { type: "boolean" },
  count: whole({ format: "int32", minimum: 1, maximum: 10 }),
  even: whole({ multipleOf: 2, exclusiveMinimum: true, minimum: 0, exclusiveMaximum: true, maximum: 100 }),
  big: whole({ format: "int64" }),
  ratio: { type: "number", minimum: 0.5, maximum: 1.5, exclusiveMaximum: true },
  mode: text({ enum: ["Fast", "Slow"] }),
  level: whole({ enum: [1, 2, 3] }),
  port: { "x-kubernetes-int-or-string": true },
  when: text({ format: "date-time" }),
  day: text({ format: "date" }),
  address: text({ format: "ipv4" }),
  network: text({ format: "cidr" }),
  id: text({ format: "uuid" }),
  link: text({ format: "uri" }),
  mail: text({ format: "email" }),
  host: text({ format: "hostname" }),
  data: text({ format: "byte" }),
  wait: text({ format: "duration" }),
  strange: text({ format: "unheard-of" }),
  maybe: text({ nullable: true }),
  preset: text({ default: "set" }),
  nested: object({ inner: text({ default: "in" }), more: object({ deep: whole({ default: 7 }) }, { default: {} }) }),
  needy: object({ must: text(), other: text() }, { required: ["must"] }),
  list: { type: "array", items: text({ minLength: 1 }), minItems: 1, maxItems: 3 },
  single: { type: "array", items: whole(), maxItems: 1 },
  tags: { type: "array", items: text(), "x-kubernetes-list-type": "set" },
  entries: {
    type: "array",
    items: object({ name: text(), port: whole({ default: 80 }), value: text() }, { required: ["name"] }),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "port"],
  },
  named: {
    type: "array",
    items: object({ name: text(), value: text({ maxLength: 3 }) }, { required: ["name"] }),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  },
  labels: { type: "object", additionalProperties: text({ maxLength: 4 }), minProperties: 1, maxProperties: 2 },
  fixed: object({ a: text(), b: text() }, { "x-kubernetes-map-type": "atomic" }),
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: object({ a: text() }) } },
  either: { type: "object", properties: { a: text(), b: text() }, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  some: { type: "object", properties: { a: text(), b: text() }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
  all: { type: "string", allOf: [{ minLength: 2 }, { maxLength: 3 }] },
  not: { type: "string", not: { enum: ["never"] } },
  template: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
};

/** The CRD of {@link Sample}. */
export const sampleCrd: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "samples.test.kubewright.io" },
  spec: {
    group: "test.kubewright.io",
    scope: "Namespaced",
    names: { plural: "samples", kind: "Sample" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: object({
            apiVersion: text(),
            kind: text(),
            metadata: { type: "object" },
            spec: object(sampleFields),
            status: object({
              phase: text({ enum: ["A", "B"] }),
              seen: whole({ default: 0 }),
              conditions: {
                type: "array",
                items: object({ type: text(), status: text() }, { required: ["type", "status"] }),
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["type"],
              },
            }),
          }),
        },
        subresources: { status: {} },
      },
    ],
  },
} as KubernetesObject;

/** The CRD of a kind with two versions that have different fields, without a conversion webhook. */
export const versionedCrd: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "versioneds.test.kubewright.io" },
  spec: {
    group: "test.kubewright.io",
    scope: "Namespaced",
    names: { plural: "versioneds", kind: "Versioned" },
    versions: [
      ["v1", { both: text(), old: text(), size: whole({ default: 1 }) }],
      ["v2", { both: text(), fresh: text({ default: "new" }), size: whole() }],
    ].map(([name, fields]) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: object({ spec: object(fields as object), status: object({ phase: text() }) }) },
      subresources: { status: {} },
    })),
  },
} as KubernetesObject;
