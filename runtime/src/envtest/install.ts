import type { KubernetesObject } from "../api/index.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../errors/index.ts";
import type { Transport } from "../transport/transport.ts";

const TRIES = 10;

/**
 * Creates a cluster-scoped object below the path of its collection, or updates the one that is there. Throws an `Error` that names
 * the object as `what`.
 */
export async function install(
  transport: Transport,
  collection: string,
  object: KubernetesObject,
  what: string,
): Promise<void> {
  // Objects are often read from a cluster: another server has neither their uid nor their version.
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
      // Somebody else changed or removed it in between.
      if ((isConflict(error) || isNotFound(error)) && tries < TRIES) continue;
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${what} can't be installed: ${message}`, { cause: error });
    }
  }
}

/** The path of a cluster-scoped object below that of its collection. */
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
