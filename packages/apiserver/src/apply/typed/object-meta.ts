import type { Schema } from "@kubewright/cel/schema";

const string: Schema = { type: "string" };
const strings: Schema = { type: "object", additionalProperties: string };
const time: Schema = { type: "string", format: "date-time" };
const int64: Schema = { type: "integer", format: "int64" };

/** The parts of ObjectMeta's model that determine how metadata merges. */
const objectMeta: Schema = {
  type: "object",
  properties: {
    annotations: strings,
    creationTimestamp: time,
    deletionGracePeriodSeconds: int64,
    deletionTimestamp: time,
    finalizers: { type: "array", items: string, "x-kubernetes-list-type": "set" },
    generateName: string,
    generation: int64,
    labels: strings,
    managedFields: {
      type: "array",
      "x-kubernetes-list-type": "atomic",
      items: {
        type: "object",
        properties: {
          apiVersion: string,
          fieldsType: string,
          fieldsV1: { type: "object" },
          manager: string,
          operation: string,
          subresource: string,
          time,
        },
      },
    },
    name: string,
    namespace: string,
    ownerReferences: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      items: {
        type: "object",
        "x-kubernetes-map-type": "atomic",
        properties: {
          apiVersion: string,
          blockOwnerDeletion: { type: "boolean" },
          controller: { type: "boolean" },
          kind: string,
          name: string,
          uid: string,
        },
      },
    },
    resourceVersion: string,
    selfLink: string,
    uid: string,
  },
};

/** The fields of every object, in custom resources and embedded objects. */
export const objectProperties: Record<string, Schema> = { apiVersion: string, kind: string, metadata: objectMeta };
