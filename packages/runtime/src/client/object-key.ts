import type { KubernetesObject } from "../api/index.ts";
import type { ObjectKey } from "./client.ts";

/**
 * Returns the namespace and name of an object, as `get` and requests use them.
 *
 * @param object - the object
 * @returns the key, without a namespace for cluster-scoped objects
 *
 * @example
 * const now = await client.get(Game, objectKeyFromObject(game));
 */
export function objectKeyFromObject({ metadata = {} }: KubernetesObject): ObjectKey {
  const { namespace, name = "" } = metadata;
  return namespace ? { namespace, name } : { name };
}

/**
 * Adds the name and namespace of the parent to the body for a subresource, which servers require, if the body doesn't
 * set them.
 */
export function namedAfter<B extends KubernetesObject>({ metadata = {} }: KubernetesObject, body: B): B {
  const name = body.metadata?.name || metadata.name;
  const namespace = body.metadata?.namespace || metadata.namespace;
  return { ...body, metadata: { ...body.metadata, ...(name ? { name } : {}), ...(namespace ? { namespace } : {}) } };
}
