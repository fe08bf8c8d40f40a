import type { KubernetesObject } from "../api/index.ts";
import type { Client, Stored } from "../client/client.ts";
import { mergeDiff } from "../client/merge-diff.ts";
import { mergeFrom } from "../client/patch.ts";
import { cloneJson, semanticEqual } from "../json/index.ts";

/**
 * Changes the status of a stored object: sends what is different, and nothing where nothing is. `change` gets a copy; the object
 * that is given stays as it was. Gives the stored object.
 *
 * A patch replaces lists as a whole. Where one is different, such as `conditions`, it fails with a conflict when somebody else has
 * changed the object since it was read: nobody's entries are lost.
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
    throw new Error(`patchStatus changes the status of ${object.kind} ${object.metadata.name}, and nothing else`);
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
