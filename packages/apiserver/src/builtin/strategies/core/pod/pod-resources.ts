import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue } from "@kubewright/cel/validation";
import { amountsOf, ofContainers } from "../../../defaults/pod-resources.ts";
import { fieldsOf, isSet, objectsOf, sortedKeys } from "../../fields/fields.ts";
import { compareQuantities } from "../../fields/quantities.ts";
import { resourceErrors } from "../container/resources.ts";
import { isHugePages, podResourceNameErrors } from "../resource-names.ts";

/** Checks that a Pod has at least what its containers have together. */
function aggregateErrors(spec: JsonObject, key: "requests" | "limits", path: string): FieldError[] {
  const [ofPod, total] = [amountsOf(spec, key), ofContainers(spec, key)];
  return sortedKeys(total).flatMap((name) => {
    if (key === "limits" && !isHugePages(name)) return [];
    if (ofPod[name] === undefined || compareQuantities(total[name], ofPod[name]) <= 0) return [];
    const detail = `must be greater than or equal to aggregate container ${key} of ${total[name]}`;
    return [invalidValue(`${path}.${key}[${name}]`, ofPod[name], detail)];
  });
}

/** Checks that no container has a higher limit than the Pod. */
function containerLimitErrors(spec: JsonObject, path: string): FieldError[] {
  const ofPod = amountsOf(spec, "limits");
  return objectsOf(spec.containers).flatMap((container, index) => {
    const limits = amountsOf(container, "limits");
    return sortedKeys(limits).flatMap((name) => {
      if (ofPod[name] === undefined || compareQuantities(limits[name], ofPod[name]) <= 0) return [];
      const detail = `must be less than or equal to pod limits of ${ofPod[name]}`;
      return [invalidValue(`${path}.containers[${index}][${name}].limits`, limits[name], detail)];
    });
  });
}

/**
 * Checks the resources that all containers of a Pod share.
 *
 * @param spec - the specification of the Pod
 * @param path - the path of the resources
 * @param claims - the names of the Pod's resource claims
 * @returns the errors
 */
export function podResourceErrors(spec: JsonObject, path: string, claims: readonly string[]): FieldError[] {
  if (!isSet(spec.resources)) return [];
  if (fieldsOf(spec.os).name === "windows") return [forbiddenValue(path, "may not be set for a windows pod")];
  const resources = fieldsOf(spec.resources);
  return [
    ...(isSet(resources.claims)
      ? [forbiddenValue(`${path}.claims`, "claims may not be set for Resources at pod-level")]
      : []),
    ...resourceErrors(resources, path, claims, podResourceNameErrors),
    ...aggregateErrors(spec, "requests", path),
    ...aggregateErrors(spec, "limits", path),
    ...containerLimitErrors(spec, path),
  ];
}
