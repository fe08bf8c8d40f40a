import { goQuote } from "@kubewright/cel/json";
import { timestamp, uuid } from "../model/metadata.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { badRequest } from "../model/status.ts";
import type { Scope } from "./scope.ts";

const generatedLength = 5;
const maxNameLength = 63;
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Returns a name that begins with `base` and ends with five random characters. */
export function generateName(base: string, random: () => number): string {
  let suffix = "";
  for (let i = 0; i < generatedLength; i++) suffix += alphabet[Math.floor(random() * alphabet.length)];
  return base.slice(0, maxNameLength - generatedLength) + suffix;
}

/** Removes the fields of metadata that only the server sets. */
export function wipeSystemFields(object: ApiObject): void {
  const { metadata } = object;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.uid;
  delete metadata.selfLink;
}

/** Sets the fields of metadata that the server sets for a new object. */
export function fillSystemFields(object: ApiObject, scope: Scope): void {
  object.metadata.creationTimestamp = timestamp(scope.engine.now());
  object.metadata.uid = uuid(scope.engine.random);
}

/**
 * Sets the namespace of an object from the request.
 *
 * @param object - changed
 * @param type - its resource
 * @param namespace - the namespace of the request
 * @throws StatusError (400) if the object names another namespace
 */
export function ensureNamespace(object: ApiObject, type: ResourceType, namespace: string): void {
  const given = object.metadata.namespace ?? "";
  // The namespace of a Namespace is the object itself, in requests to /namespaces/NAME/….
  const expected = type.namespaced ? namespace : "";
  if (given === "" && expected !== "") {
    object.metadata.namespace = expected;
  } else if (given !== "" && expected === "") {
    delete object.metadata.namespace;
  } else if (given !== expected) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/**
 * Compares the name of an object with that of the request, and sets it if the object has none.
 *
 * @throws StatusError (400) if they differ
 */
export function checkName(object: ApiObject, name: string): void {
  const given = object.metadata.name ?? "";
  if (given === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
}

/**
 * Removes owner references that occur twice, and warns about them.
 *
 * @param object - changed
 * @param scope - receives the warning
 * @param afterAdmission - true for objects that mutating admission has seen
 */
export function dedupeOwnerReferences(object: ApiObject, scope: Scope, afterAdmission: boolean): void {
  const references = object.metadata.ownerReferences;
  if (!Array.isArray(references) || references.length < 2) return;
  const seen = new Set<string>();
  const repeated: string[] = [];
  const unique = references.filter((reference) => {
    const text = JSON.stringify(Object.entries(reference).sort(([a], [b]) => (a < b ? -1 : 1)));
    if (!seen.has(text)) return seen.add(text);
    repeated.push(String(reference.uid ?? ""));
    return false;
  });
  if (repeated.length === 0) return;
  object.metadata.ownerReferences = unique;
  scope.warn(
    `.metadata.ownerReferences contains duplicate entries${afterAdmission ? " after mutating admission happens" : ""}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(", ")}`,
  );
}

/** Checks a name in a path as the storage of the real server does. */
export function checkNameInPath(name: string): void {
  if (name.includes("%")) throw badRequest(`Name parameter invalid: ${goQuote(name)}: may not contain '%'`);
}
