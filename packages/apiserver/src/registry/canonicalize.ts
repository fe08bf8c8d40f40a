import { cloneJson, copyKey, equalJson, isObject } from "@kubewright/cel/json";
import type { ApiObject, Metadata } from "../model/resource.ts";
import type { Scope } from "./scope.ts";

const largeParts = ["spec", "status"] as const;

/**
 * Brings an object into the form that it has after storage, in place, for its validation. The parts that equal those of the
 * stored state have this form.
 *
 * @param scope - the request
 * @param object - the object in the hub version; changed
 * @param existing - the stored state in the hub version, if there is one
 */
export function canonicalize(scope: Scope, object: ApiObject, existing?: ApiObject): void {
  delete object.metadata.selfLink;
  const version = scope.type.versions.get(scope.hub);
  if (version?.codec.stored === undefined) return;
  const changed = { ...object };
  const same =
    existing === undefined
      ? []
      : largeParts.filter((key) => isObject(object[key]) && equalJson(object[key], existing[key]));
  for (const key of same) delete changed[key];
  const hasSameMetadata = existing !== undefined && isSameMetadata(object.metadata, existing.metadata);
  if (hasSameMetadata) changed.metadata = {};
  const stored = version.codec.stored(changed, false);
  if (hasSameMetadata) {
    // Its maps are sorted.
    stored.metadata = cloneJson(existing.metadata);
    copyKey(stored.metadata, object.metadata, "generation");
  }
  if (stored === changed) {
    Object.assign(object, changed);
    return;
  }
  for (const key of same) stored[key] = object[key];
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, stored);
}

/** Whether the metadata of an object are those of the stored state, apart from the generation. */
function isSameMetadata(metadata: Metadata, stored: Metadata): boolean {
  return equalJson({ ...metadata, generation: 0 }, { ...stored, generation: 0 });
}
