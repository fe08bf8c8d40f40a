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
