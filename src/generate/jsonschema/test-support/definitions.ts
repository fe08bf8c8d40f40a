import type { CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";

/** Branches and defaults. */
export const branches: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" },
    scope: "Cluster",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["a", "type"],
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              type: { type: "string", enum: ["x", "y"], default: "x" },
              a: { type: "string", nullable: true, anyOf: [{ pattern: "^a" }, { maxLength: 12 }] },
              b: { type: "object", additionalProperties: true },
              c: { type: "array", items: { type: "integer", not: { enum: [1] } } },
              d: { type: "object", minProperties: 1, properties: { e: { type: "string", default: "" } } },
            },
            oneOf: [
              { properties: { type: { enum: ["x"] } } },
              { properties: { type: { enum: ["y"] } }, not: { required: ["c"] } },
            ],
            allOf: [{ not: { required: ["b", "d"] } }, { anyOf: [{ required: ["type"] }, { required: ["b"] }] }],
          },
        },
      },
    ],
  },
};

/** Rules for names, and resources inside an object that declare their metadata. */
export const named: CustomResourceDefinition = {
  ...branches,
  spec: {
    ...branches.spec,
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              metadata: {
                type: "object",
                properties: {
                  name: { type: "string", pattern: "^[a-s.]*$" },
                  generateName: { type: "string", maxLength: 8 },
                },
              },
              template: {
                type: "object",
                "x-kubernetes-embedded-resource": true,
                properties: {
                  apiVersion: { type: "string" },
                  kind: { type: "string" },
                  metadata: { type: "object" },
                  spec: { type: "object", properties: { a: { type: "string" } } },
                },
              },
              templates: {
                type: "array",
                items: {
                  type: "object",
                  "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true,
                  properties: {
                    kind: { type: "string", enum: ["Secret", "ConfigMap"] },
                    metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
