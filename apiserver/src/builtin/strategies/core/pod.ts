import type { JsonObject } from "../../../json/json.ts";
import { cloneJson, equalJson } from "../../../json/values.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { forbiddenValue } from "../../../request/paths.ts";
import { podSpecErrors } from "./pod-spec.ts";

const updatable =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/**
 * Finds the quality of service of a Pod, which follows from its requests and limits.
 *
 * @param spec - the specification
 * @returns `Guaranteed`, `Burstable` or `BestEffort`
 */
export function qualityOfService(spec: JsonObject): string {
  const containers = [...((spec.initContainers ?? []) as JsonObject[]), ...((spec.containers ?? []) as JsonObject[])];
  const holders = spec.resources === undefined ? containers : [spec];
  let any = false;
  let guaranteed = true;
  for (const { resources } of holders) {
    const { requests, limits } = (resources ?? {}) as Record<string, Record<string, string> | undefined>;
    for (const name of ["cpu", "memory"]) {
      const request = requests?.[name];
      const limit = limits?.[name];
      const isSet = (quantity: string | undefined): boolean => quantity !== undefined && quantity !== "0";
      if (isSet(request) || isSet(limit)) any = true;
      if (!isSet(limit) || (isSet(request) && request !== limit)) guaranteed = false;
    }
  }
  return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}

/** Removes the fields that an update may change, so that the rest can be compared. */
function withoutUpdatable(spec: JsonObject): JsonObject {
  const rest = cloneJson(spec);
  for (const key of ["activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"]) delete rest[key];
  for (const key of ["containers", "initContainers"]) {
    for (const container of (rest[key] ?? []) as JsonObject[]) delete container.image;
  }
  return rest;
}

function updateErrors(pod: ApiObject, old: ApiObject): FieldError[] {
  const spec = pod.spec as JsonObject;
  const before = old.spec as JsonObject;
  if (equalJson(withoutUpdatable(spec), withoutUpdatable(before))) return [];
  return [forbiddenValue("spec", updatable)];
}

/** The rules of Pods. */
export const pod: Strategy = {
  prepareForCreate(object) {
    object.status = { phase: "Pending", qosClass: qualityOfService((object.spec ?? {}) as JsonObject) };
  },
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === "status") {
      delete object.metadata.deletionTimestamp;
      if (old.metadata.ownerReferences === undefined) delete object.metadata.ownerReferences;
      else object.metadata.ownerReferences = cloneJson(old.metadata.ownerReferences);
      const status = (object.status ?? {}) as JsonObject;
      if (!status.qosClass) object.status = { ...status, qosClass: (old.status as JsonObject).qosClass ?? "" };
    }
    if (subresource === "ephemeralcontainers") {
      const { ephemeralContainers } = (object.spec ?? {}) as JsonObject;
      object.spec = {
        ...cloneJson(old.spec as JsonObject),
        ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }),
      };
    }
  },
  validate: (object) => podSpecErrors((object.spec ?? {}) as JsonObject, "spec"),
  validateUpdate(object, old, { subresource }) {
    if (subresource === "status" || subresource === "ephemeralcontainers") return [];
    return updateErrors(object, old);
  },
  checkGracefulDelete(object, options) {
    const spec = object.spec as JsonObject;
    const phase = (object.status as JsonObject | undefined)?.phase;
    let period = options.gracePeriodSeconds ?? (spec.terminationGracePeriodSeconds as number | undefined) ?? 0;
    if (!spec.nodeName || phase === "Failed" || phase === "Succeeded") period = 0;
    options.gracePeriodSeconds = period < 0 ? 1 : period;
    return true;
  },
};
