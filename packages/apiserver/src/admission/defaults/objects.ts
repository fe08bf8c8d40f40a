import { isObject, type JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../../model/admission.ts";
import type { ApiObject } from "../../model/resource.ts";

/** Reports whether a request is about objects of a resource, not about one of its subresources. */
export function isResource({ type, subresource }: AdmissionAttributes, group: string, resource: string): boolean {
  return subresource === "" && type.resource === resource && type.group === group;
}

/** Returns the spec of an object, created if it is absent. */
export function specOf(object: ApiObject): JsonObject {
  if (!isObject(object.spec)) object.spec = {};
  return object.spec as JsonObject;
}
