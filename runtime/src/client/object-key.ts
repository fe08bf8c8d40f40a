import type { KubernetesObject } from "../api/index.ts";
import type { ObjectKey } from "./client.ts";

/**
 * Namespace and name of an object, as `get` and requests take them.
 *
 * @example
 * const now = await client.get(Game, objectKeyFromObject(game));
 */
export function objectKeyFromObject({ metadata = {} }: KubernetesObject): ObjectKey {
  const { namespace, name = "" } = metadata;
  return namespace ? { namespace, name } : { name };
}

/** What is sent to a subresource of an object: servers want its name in it, so a body that has none gets the object's. */
export function namedAfter<B extends KubernetesObject>({ metadata = {} }: KubernetesObject, body: B): B {
  const name = body.metadata?.name || metadata.name;
  const namespace = body.metadata?.namespace || metadata.namespace;
  return { ...body, metadata: { ...body.metadata, ...(name ? { name } : {}), ...(namespace ? { namespace } : {}) } };
}
