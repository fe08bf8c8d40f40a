import type { JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { StatusError } from "../model/status.ts";
import { applyPatch, type ManagedKind, updateManagedFields } from "./field-manager.ts";
import { excludeFields } from "./typed/field-set.ts";
import { customResourceType } from "./typed/object-type.ts";

/** The schema of Widgets. */
export const schema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        name: { type: "string" },
        list: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", properties: { name: { type: "string" }, value: { type: "string" } } },
        },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
};

/** Version and kind of Widgets. */
export const typed = { apiVersion: "example.com/v1", kind: "Widget" };

/** Returns the kind for a subresource. */
export function kindOf(subresource = "", extra: Partial<ManagedKind> = {}): ManagedKind {
  const type = customResourceType(schema);
  return {
    ...typed,
    subresource,
    typeOf: (apiVersion) => (/^example.com\/v[12]$/.test(apiVersion) ? type : undefined),
    resetFields: () => excludeFields(subresource === "status" ? [["metadata"], ["spec"]] : [["status"]]),
    empty: () => ({ ...typed }),
    ...extra,
  };
}

/** Returns a time. */
export const time = (minute: number) => `2030-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
/** Returns the metadata of an object. */
export const metadataOf = (object: JsonObject) => object.metadata as JsonObject;
/** Returns the managed fields of an object. */
export const entriesOf = (object: JsonObject) => (metadataOf(object).managedFields ?? []) as JsonObject[];
/** Returns the important parts of the managed fields. */
export const summary = (object: JsonObject) =>
  entriesOf(object).map(({ manager, operation, fieldsV1, time }) => ({ manager, operation, fieldsV1, time }));

/** Creates a Widget. */
export function stored(spec: JsonObject, manager = "creator"): JsonObject {
  const updated = { ...typed, metadata: { name: "a" }, spec };
  const object = updateManagedFields(kindOf(), { live: typed, updated, manager, now: time(0) });
  return { ...object, metadata: { ...metadataOf(object), uid: "u" } };
}

/** Applies a spec. */
export function apply(
  live: JsonObject,
  spec: JsonObject,
  options: { manager?: string; force?: boolean; minute?: number } = {},
): JsonObject {
  const { manager = "applier", force = false, minute = 1 } = options;
  const patch = { ...typed, metadata: { name: "a" }, spec };
  return applyPatch(kindOf(), { live, patch, manager, force, now: time(minute) }).object;
}

/** Returns the error of an action. */
export function failure(action: () => unknown): StatusError {
  try {
    action();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error("no error");
}
