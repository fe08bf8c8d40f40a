import type { KubernetesObject } from "../../api/index.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../errors/predicates.ts";
import type { Transport } from "../../transport/transport.ts";

const TRIES = 10;

/**
 * Creates a cluster-scoped object below the path of its collection, or updates the existing one.
 *
 * @throws an `Error` that starts with `what`, the description of the object
 */
export async function install(
  transport: Transport,
  collection: string,
  object: KubernetesObject,
  what: string,
): Promise<void> {
  // Objects are often read from another cluster, so their uid and version don't apply.
  const { resourceVersion: _r, uid: _u, ...metadata } = object.metadata ?? {};
  const path = pathBelow(collection, object);
  for (let tries = 1; ; tries++) {
    try {
      if (await created(transport, collection, { ...object, metadata })) return;
      const existing = (await transport.request({ method: "GET", path })).body as KubernetesObject;
      const { resourceVersion } = existing.metadata ?? {};
      await transport.request({ method: "PUT", path, body: { ...object, metadata: { ...metadata, resourceVersion } } });
      return;
    } catch (error) {
      // Another client changed or removed the object in the meantime.
      if ((isConflict(error) || isNotFound(error)) && tries < TRIES) continue;
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${what} can't be installed: ${message}`, { cause: error });
    }
  }
}

/** Returns the path of a cluster-scoped object below that of its collection. */
export function pathBelow(collection: string, { metadata }: KubernetesObject): string {
  return `${collection}/${encodeURIComponent(metadata?.name ?? "")}`;
}

async function created(transport: Transport, path: string, body: KubernetesObject): Promise<boolean> {
  try {
    await transport.request({ method: "POST", path, body });
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}
