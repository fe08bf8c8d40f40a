import type { KubernetesObject } from "../api/index.ts";
import { groupVersionPath, type Kind } from "../api/kind.ts";
import type { RestMapper, RestMapping } from "../discovery/rest-mapper.ts";
import type { ObjectBody } from "./object-types.ts";

/** Resource of a kind. */
export interface Resource extends RestMapping {
  group: string;
  version: string;
  kind: string;
  apiVersion: string;
}

/** A reference to a kind: a `Kind`, or an object with its apiVersion and kind. */
export type KindReference = Pick<Kind, "group" | "version" | "kind" | "apiVersion" | "plural" | "scope">;

/** Returns the kind of an object. Throws a `TypeError` if it has none. */
export function kindOf(object: KubernetesObject): KindReference {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== "string" || apiVersion === "" || typeof kind !== "string" || kind === "") {
    throw new TypeError("an object must have apiVersion and kind");
  }
  const slash = apiVersion.indexOf("/");
  const group = slash === -1 ? "" : apiVersion.slice(0, slash);
  return { group, version: apiVersion.slice(slash + 1), kind, apiVersion };
}

/** Distinguishes a `Kind` from an object by its version, which objects don't have at the top level. */
export function isKind(of: Kind | KubernetesObject): of is Kind {
  // Untyped callers can omit the object.
  return typeof of === "object" && of !== null && "version" in of && "group" in of;
}

/**
 * Returns the object and options of a write, which is called with a whole object, or with a kind and the rest of the object.
 */
export function objectAndOptions<T extends KubernetesObject, O>(
  first: Kind<T> | T,
  second: ObjectBody<T> | O | undefined,
  third: O | undefined,
): [object: T, options: O | undefined] {
  if (!isKind(first)) return [first, second as O | undefined];
  const { apiVersion, kind } = first;
  const body = second as Partial<KubernetesObject> | undefined;
  if (typeof body !== "object" || body === null) throw new TypeError(`${kind}: the object is missing`);
  const given = { apiVersion: body.apiVersion ?? apiVersion, kind: body.kind ?? kind };
  if (given.apiVersion !== apiVersion || given.kind !== kind) {
    throw new TypeError(`${kind} of ${apiVersion}: the object is a ${given.kind} of ${given.apiVersion}`);
  }
  return [{ ...body, apiVersion, kind } as T, third];
}

/**
 * The resources per mapper. A kind that a cache resolved for its watch needs no discovery when a client writes an object of
 * it.
 */
const shared = new WeakMap<RestMapper, Resources>();

/**
 * Finds the resource of a kind. Kinds with plural and scope require no discovery, and neither do objects of a known kind.
 */
export class Resources {
  readonly #mapper: RestMapper;
  readonly #declared = new Map<string, Resource>();

  private constructor(mapper: RestMapper) {
    this.#mapper = mapper;
  }

  /** Returns the resources that all users of a mapper share. */
  static with(mapper: RestMapper): Resources {
    const resources = shared.get(mapper) ?? new Resources(mapper);
    shared.set(mapper, resources);
    return resources;
  }

  /** Returns the resource of a kind. Rejects with `NoMatchError` if the server doesn't serve the kind. */
  async of(reference: KindReference): Promise<Resource> {
    const { group, version, kind, apiVersion, plural, scope } = reference;
    const key = `${apiVersion}/${kind}`;
    const declared = this.#declared.get(key);
    if (declared) return declared;
    const identity = { group, version, kind, apiVersion };
    if (plural && scope) {
      const resource = { ...identity, plural, namespaced: scope === "Namespaced" };
      this.#declared.set(key, resource);
      return resource;
    }
    // Results of discovery aren't cached here, because they can change; the mapper caches them.
    return { ...identity, ...(await this.#mapper.mapping(group, version, kind)) };
  }
}

/**
 * Returns the path of all objects of a resource, in a namespace if one is given. Ignores the namespace of cluster-scoped
 * kinds.
 */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  const root = groupVersionPath(resource);
  if (!resource.namespaced || !namespace) return `${root}/${resource.plural}`;
  return `${root}/namespaces/${segment("namespace", namespace)}/${resource.plural}`;
}

/** Returns the path of one object. Throws a `TypeError` if the key is invalid. */
export function objectPath(
  resource: Resource,
  key: { namespace?: string; name?: string },
  subresource?: string,
): string {
  const { name } = key;
  if (!name) throw new TypeError(`${resource.kind}: the object has no name`);
  requireNamespace(resource, key.namespace, `"${name}"`);
  const path = `${collectionPath(resource, key.namespace)}/${segment("name", name)}`;
  return subresource ? `${path}/${segment("subresource", subresource)}` : path;
}

/** Throws a `TypeError` if a namespaced kind has no namespace. */
export function requireNamespace(resource: Resource, namespace: string | undefined, what: string): void {
  if (resource.namespaced && !namespace) {
    throw new TypeError(`${resource.kind} ${what}: a namespace is required, because the kind is namespaced`);
  }
}

// A server would interpret such a string as a different path.
function segment(what: string, text: string): string {
  if (text === "." || text === ".." || /[/%]/.test(text)) {
    throw new TypeError(
      `${JSON.stringify(text)} isn't a valid ${what}: it must not be "." or "..", nor contain "/" or "%"`,
    );
  }
  return encodeURIComponent(text);
}
