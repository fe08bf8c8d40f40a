import type { KubernetesObject } from "../api/index.ts";
import type { Client, Stored } from "../client/client.ts";
import { mergeDiff } from "../client/merge-diff.ts";
import { mergeFrom } from "../client/patch.ts";
import { cloneJson } from "../json/clone.ts";
import { semanticEqual } from "../json/equal.ts";

/**
 * Patches the status of a stored object. It sends a request only if the status changed. The argument `object` isn't changed.
 *
 * A merge patch replaces lists as a whole. If a list such as `conditions` changed, the patch therefore requires the resource
 * version that was read. It then fails with a conflict instead of losing entries of other writers.
 *
 * @param client - writes the status
 * @param object - the object as it was read
 * @param change - changes a copy of the object, but only its status
 * @returns the stored object
 * @throws ApiError if the server refuses the patch; `isConflict` if the object was changed since it was read
 * @throws Error if `change` changes anything but the status
 *
 * @example
 * await patchStatus(client, game, (copy) => {
 *   setStatusCondition(copy, { type: "Ready", status: "True", reason: "Deployed" });
 * });
 */
export async function patchStatus<T extends KubernetesObject>(
  client: Client,
  object: Stored<T>,
  change: (copy: Stored<T>) => void | Promise<void>,
): Promise<Stored<T>> {
  const wanted = cloneJson(object) as Stored<T>;
  await change(wanted);
  if (!semanticEqual(withoutStatus(object), withoutStatus(wanted))) {
    throw new Error(`patchStatus of ${object.kind} ${object.metadata.name}: the function must change only the status`);
  }
  if (semanticEqual(onlyStatus(object), onlyStatus(wanted))) return object;
  const optimisticLock = hasList(mergeDiff(object, wanted));
  return client.status.patch(wanted, mergeFrom(object, { optimisticLock }));
}

function withoutStatus(object: KubernetesObject): KubernetesObject {
  return { ...object, status: undefined } as KubernetesObject;
}

function onlyStatus(object: KubernetesObject): unknown {
  return { apiVersion: object.apiVersion, status: (object as { status?: unknown }).status ?? {} };
}

function hasList(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) return true;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}
