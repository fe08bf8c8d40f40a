import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { decodeManagedFields } from "./managed-fields.ts";
import { metadataOf, withManagedFields } from "./metadata.ts";
import { equalValues } from "./typed/values.ts";

/**
 * Keeps the times of `metadata.managedFields` if a write changed nothing else.
 *
 * @param updated - the object after the request
 * @param live - the stored object
 * @param builtin - whether the kind is built-in. For these, fields in another order count as a change.
 * @returns the object after the request, with the stored times if it is otherwise the same
 */
export function keepTimes(updated: JsonObject, live: JsonObject, builtin: boolean): JsonObject {
  const before = metadataOf(live).managedFields;
  const after = metadataOf(updated).managedFields;
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length || after.length === 0)
    return updated;
  if (after.every((entry, index) => timeOf(entry) === timeOf(before[index]))) return updated;
  if (!equalValues(after.map(withoutTime), before.map(withoutTime))) return updated;
  if (builtin && after.some((entry, index) => fieldsText(entry) !== fieldsText(before[index]))) return updated;
  if (!equalValues(withManagedFields(updated, undefined), withManagedFields(live, undefined))) return updated;
  return withManagedFields(updated, before);
}

const timeOf = (entry: Json | undefined): Json | undefined => (isObject(entry) ? entry.time : undefined);

const fieldsText = (entry: Json | undefined): string => (isObject(entry) ? JSON.stringify(entry.fieldsV1 ?? null) : "");

function withoutTime(entry: Json): Json {
  if (!isObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest as JsonObject;
}

/**
 * Checks `metadata.managedFields` after mutating admission.
 *
 * @param before - the object before admission
 * @param after - the object after admission
 * @returns the object with valid managed fields, and the warning for the client if those of admission were invalid
 */
export function checkManagedFields(before: JsonObject, after: JsonObject): { object: JsonObject; warning?: string } {
  try {
    decodeManagedFields(metadataOf(after).managedFields);
    return { object: after };
  } catch (error) {
    const entries = metadataOf(before).managedFields;
    return {
      object: withManagedFields(after, Array.isArray(entries) ? entries : undefined),
      warning: `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${(error as Error).message}`,
    };
  }
}
