import type { JsonObject } from "@kubewright/cel/json";

/**
 * Creates a UUID of version 4.
 *
 * @param random - returns numbers in [0, 1)
 * @returns the UUID
 */
export function uuid(random: () => number): string {
  const digit = (): string => Math.floor(random() * 16).toString(16);
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (char) =>
    char === "x" ? digit() : ((Math.floor(random() * 16) & 3) | 8).toString(16),
  );
}

let last = { second: Number.NaN, text: "" };

/** Returns a time as metadata holds it, to the second. */
export function timestamp(now: number): string {
  const second = Math.floor(now / 1000);
  // The controllers write many times in a second.
  if (last.second !== second) last = { second, text: `${new Date(now).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/**
 * Creates the entry of managed fields for an object that the server itself writes.
 *
 * @param apiVersion - the version of the object
 * @param time - the time of the write, as metadata contains it
 * @param fieldsV1 - the owned fields
 * @returns the entry
 */
export function ownedByServer(apiVersion: string, time: string, fieldsV1: JsonObject): JsonObject {
  return { manager: "kube-apiserver", operation: "Update", apiVersion, time, fieldsType: "FieldsV1", fieldsV1 };
}
