import type { KubernetesObject } from "../api/index.ts";
import { type Kind, splitApiVersion } from "../api/kind.ts";

/** Returns the kind of an object. Throws if `apiVersion` or `kind` is missing. */
export function kindOf<T extends KubernetesObject>(object: T): Kind<T> {
  const { apiVersion, kind } = object;
  if (!apiVersion || !kind) throw new Error("the object has no apiVersion or kind");
  const [group, version] = splitApiVersion(apiVersion);
  return { group, version, kind, apiVersion };
}
