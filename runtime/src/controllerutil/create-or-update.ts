import type { KubernetesObject } from "../api/index.ts";
import type { Client, Stored } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
import { isNotFound } from "../errors/index.ts";
import { cloneJson, semanticEqual } from "../json/index.ts";
import { setField } from "../json/object.ts";
import { kindOf } from "./kind-of.ts";

/** What was done. */
export type OperationResult = "unchanged" | "created" | "updated" | "updatedStatus" | "updatedStatusOnly";

/** Sets what the caller decides of an object, and leaves the rest. It may be called for an object that isn't stored yet. */
export type Mutate<T extends KubernetesObject> = (object: T) => void | Promise<void>;

/**
 * Creates an object, or brings it up to date. `object` says which one; it becomes the stored one, changed by `mutate`, and is
 * written where that makes a difference. Changes of the status are not written.
 *
 * @example
 * const service: Service = { apiVersion: "v1", kind: "Service", metadata: { name, namespace } };
 * await createOrUpdate(client, service, (found) => {
 *   setControllerReference(game, found);
 *   found.spec = { ...found.spec, selector: labels };
 * });
 */
export async function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T>,
): Promise<OperationResult> {
  const found = await changed(client, object, mutate);
  if (!found) return "created";
  if (semanticEqual(found, object)) return "unchanged";
  become(object, await client.update(object));
  return "updated";
}

/** As {@link createOrUpdate}, but sends only what changed, and the status too where it changed. */
export async function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T>,
): Promise<OperationResult> {
  const found = await changed(client, object, mutate);
  if (!found) return "created";
  const wanted = cloneJson(object);
  const isStatusChanged = !semanticEqual(onlyStatus(found), onlyStatus(wanted));
  const isRestChanged = !semanticEqual({ ...found, status: undefined }, { ...wanted, status: undefined });
  if (isRestChanged) {
    const stored = await client.patch({ ...wanted, status: statusOf(found) } as T, mergeFrom(found));
    become(object, stored);
  }
  if (isStatusChanged) {
    // The patch of the rest moved the resource version; only the status is compared here.
    const target = { ...cloneJson(object), status: statusOf(wanted) } as T;
    become(
      object,
      await client.status.patch(target, mergeFrom({ ...cloneJson(target), status: statusOf(found) } as T)),
    );
  }
  if (isRestChanged) return isStatusChanged ? "updatedStatus" : "updated";
  return isStatusChanged ? "updatedStatusOnly" : "unchanged";
}

/** Makes `object` what is to be stored, and gives what is stored already; where there is nothing, creates it. */
async function changed<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T>,
): Promise<Stored<T> | undefined> {
  const found = await find(client, object);
  if (found) become(object, cloneJson(found));
  await change(object, mutate);
  if (!found) become(object, await client.create(object));
  return found;
}

async function find<T extends KubernetesObject>(client: Client, object: T): Promise<Stored<T> | undefined> {
  const { namespace, name } = object.metadata ?? {};
  if (!name) throw new Error(`the ${object.kind} has no name: createOrUpdate can't know which one is meant`);
  try {
    // It is copied before anything is changed, and compared with what became of the copy.
    return await client.get(kindOf(object), { namespace, name }, { shared: true });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function change<T extends KubernetesObject>(object: T, mutate: Mutate<T>): Promise<void> {
  const { namespace, name } = object.metadata ?? {};
  await mutate(object);
  if (object.metadata?.name !== name || object.metadata?.namespace !== namespace) {
    throw new Error(`the function must not change name and namespace of ${object.kind} ${namespace ?? ""}/${name}`);
  }
}

function onlyStatus(object: KubernetesObject): unknown {
  return { apiVersion: object.apiVersion, status: statusOf(object) };
}

function statusOf(object: KubernetesObject): unknown {
  return (object as { status?: unknown }).status;
}

/** Makes one object the other, in place: callers hold on to the first. */
function become<T extends KubernetesObject>(object: T, other: T): void {
  for (const key of Object.keys(object)) delete (object as Record<string, unknown>)[key];
  for (const [key, value] of Object.entries(other)) setField(object, key, value);
}
