import { goFormat, goType, type Json, type JsonObject } from "@kubewright/cel/json";
import { badRequest, StatusError } from "../model/status.ts";
import { unprocessablePatch } from "./result.ts";

const badFormats = {
  deleteFromPrimitiveList: "invalid patch format of primitive list",
  retainKeys: "invalid patch format of retainKeys",
  setElementOrder: "invalid patch format of setElementOrder list",
};

/** Returns the error for a directive whose value or key is malformed. */
export function badFormat(directive: keyof typeof badFormats): StatusError {
  return badRequest(badFormats[directive]);
}

/** Returns the error for a patch that can't be applied, for which kube-apiserver has no reason and status 500. */
export function patchFailure(message: string): StatusError {
  return new StatusError(500, "", message);
}

/** Returns the error for a list in a list. */
export function listOfLists(): StatusError {
  return unprocessablePatch(new Error("lists of lists are not supported"));
}

/** Returns the error for an item of a list without the key by which its list merges. */
export function noMergeKey(item: JsonObject, key: string): StatusError {
  return patchFailure(`map: ${goFormat(item)} does not contain declared merge key: ${key}`);
}

/** Returns the error for a value of another type than the patch needs. */
export function badType(expected: "map" | "list", actual: Json | undefined): StatusError {
  return patchFailure(`expected a ${goType(expected === "map" ? {} : [])}, but received a ${goType(actual)}`);
}

/** Returns the error for a value of `$patch` that doesn't exist. */
export function unknownDirective(directive: Json, item: JsonObject): StatusError {
  const shown = typeof directive === "string" ? directive : `%!s(${goType(directive)}=${goFormat(directive)})`;
  return patchFailure(`unknown patch type: ${directive === null ? "%!s(<nil>)" : shown} in map: ${goFormat(item)}`);
}
