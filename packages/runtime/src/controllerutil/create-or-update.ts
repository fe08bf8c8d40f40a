import type { KubernetesObject } from "../api/index.ts";
import type { Client, Stored } from "../client/client.ts";
import type { Named } from "../client/object-types.ts";
import { mergeFrom } from "../client/patch.ts";
import { isNotFound } from "../errors/predicates.ts";
import { cloneJson } from "../json/clone.ts";
import { semanticEqual } from "../json/equal.ts";
import { setField } from "../json/object.ts";
import { kindOf } from "./kind-of.ts";

/**
 * Result of {@link createOrUpdate} and {@link createOrPatch}. `updatedStatus` means that the status and other fields
 * were patched.
 */
export type OperationResult = "unchanged" | "created" | "updated" | "updatedStatus" | "updatedStatusOnly";

/**
 * Sets the desired fields of an object and keeps the others. It is also called for objects that don't exist yet.
 *
 * @param object - the object, which it changes in place
 */
export type Mutate<T extends KubernetesObject> = (object: Named<T>) => void | Promise<void>;

/**
 * Creates an object, or updates it if `mutate` changes it. `object` is replaced in place by the stored object. Changes
 * of the status aren't written.
 *
 * @param client - reads and writes the object
 * @param object - identifies the object by apiVersion, kind, namespace and name; it is changed
 * @param mutate - sets the desired fields
 * @returns `unchanged`, `created` or `updated`
 * @throws ApiError if the server refuses the read or write
 * @throws Error if the object has no name, or if `mutate` changes the name or namespace
 *
 * @example
 * const service: Service = { apiVersion: "v1", kind: "Service", metadata: { name, namespace } };
 * await createOrUpdate(client, service, (found) => {
 *   setControllerReference(game, found);
 *   found.metadata.labels = labels;
 *   found.spec = { ...found.spec, selector: labels };
 * });
 */
export async function createOrUpdate<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T>,
): Promise<OperationResult> {
  const change = await changed(client, object, mutate);
  if (!change) return "created";
  if (semanticEqual(change, object)) return "unchanged";
  become(object, await client.update(object));
  return "updated";
}

/**
 * Creates an object, or patches the fields that `mutate` changes, status included. `object` is replaced in place by the
 * stored object.
 *
 * @param client - reads and writes the object
 * @param object - identifies the object by apiVersion, kind, namespace and name; it is changed
 * @param mutate - sets the desired fields
 * @returns the {@link OperationResult}; a created object has no status yet, so call it again to write one
 * @throws ApiError if the server refuses the read or write
 * @throws Error if the object has no name, or if `mutate` changes the name or namespace
 *
 * @example
 * await createOrPatch(client, deployment, (found) => {
 *   found.spec = { ...deploymentSpec, replicas: game.spec.replicas ?? 1 };
 * });
 */
export async function createOrPatch<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T>,
): Promise<OperationResult> {
  const change = await changed(client, object, mutate);
  if (!change) return "created";
  const wanted = cloneJson(object);
  const isStatusChanged = !semanticEqual(onlyStatus(change), onlyStatus(wanted));
  const isRestChanged = !semanticEqual({ ...change, status: undefined }, { ...wanted, status: undefined });
  if (isRestChanged) {
    const stored = await client.patch({ ...wanted, status: statusOf(change) } as T, mergeFrom(change));
    become(object, stored);
  }
  if (isStatusChanged) {
    // The patch of the other fields changed the resource version; only the status is compared here.
    const target = { ...cloneJson(object), status: statusOf(wanted) } as T;
    become(
      object,
      await client.status.patch(target, mergeFrom({ ...cloneJson(target), status: statusOf(change) } as T)),
    );
  }
  if (isRestChanged) return isStatusChanged ? "updatedStatus" : "updated";
  return isStatusChanged ? "updatedStatusOnly" : "unchanged";
}

/** Applies `mutate` to `object` and returns the stored object. If none exists, it is created. */
async function changed<T extends KubernetesObject>(
  client: Client,
  object: T,
  mutate: Mutate<T>,
): Promise<Stored<T> | undefined> {
  const current = await find(client, object);
  if (current) become(object, cloneJson(current));
  await change(object, mutate);
  if (!current) become(object, await client.create(object));
  return current;
}

async function find<T extends KubernetesObject>(client: Client, object: T): Promise<Stored<T> | undefined> {
  const { namespace, name } = object.metadata ?? {};
  if (!name) throw new Error(`the ${object.kind} has no name: createOrUpdate and createOrPatch require one`);
  try {
    // A shared read is sufficient, because the object is copied before it is changed and compared.
    return await client.get(kindOf(object), { namespace, name }, { shared: true });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function change<T extends KubernetesObject>(object: T, mutate: Mutate<T>): Promise<void> {
  const { namespace, name } = object.metadata ?? {};
  await mutate(object as Named<T>);
  if (object.metadata?.name !== name || object.metadata?.namespace !== namespace) {
    throw new Error(`the function must not change the name or namespace of ${object.kind} ${namespace ?? ""}/${name}`);
  }
}

function onlyStatus(object: KubernetesObject): unknown {
  return { apiVersion: object.apiVersion, status: statusOf(object) };
}

function statusOf(object: KubernetesObject): unknown {
  return (object as { status?: unknown }).status;
}

/**
 * Replaces the content of an object in place, since callers keep a reference to it. Deletes only what must go: V8 keeps an
 * object with deleted fields as a dictionary, which is slower to read.
 */
function become<T extends KubernetesObject>(object: T, other: T): void {
  for (const key of Object.keys(object)) {
    if (!Object.hasOwn(other, key)) delete (object as Record<string, unknown>)[key];
  }
  for (const key of Object.keys(other)) setField(object, key, (other as Record<string, unknown>)[key]);
}
