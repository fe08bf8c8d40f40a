import type { KubernetesObject } from "./index.ts";

/** Options of {@link GroupVersion.kind}. If they are unset, the REST mapper discovers plural and scope on first use. */
export interface KindOptions {
  /**
   * Resource name in URLs, such as `deployments`.
   *
   * @defaultValue discovered from the API server
   */
  plural?: string;
  /**
   * Whether objects of the kind have a namespace.
   *
   * @defaultValue discovered from the API server
   */
  scope?: "Namespaced" | "Cluster";
}

/**
 * Identifies a kind in clients, caches and builders. The type parameter is only for inference: at run time, a kind
 * consists of its group, version and name.
 */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  /** API group. `""` for the core group. */
  readonly group: string;
  /** API version, such as `v1`. */
  readonly version: string;
  /** Name of the kind, such as `Deployment`. */
  readonly kind: T["kind"];
  /** `group/version`, or `version` in the core group: the `apiVersion` of its objects. */
  readonly apiVersion: T["apiVersion"];
  /** Resource name in URLs, such as `deployments`. If it is unset, the REST mapper discovers it. */
  readonly plural?: string;
  /** Whether objects of the kind have a namespace. If it is unset, the REST mapper discovers it. */
  readonly scope?: "Namespaced" | "Cluster";
  /** Never set. Carries the object type. */
  readonly objectType?: T;
}

/** Infers the object type from a kind: `ObjectOf<typeof Deployment>`. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

/** An API group and version that creates kinds. */
export interface GroupVersion {
  /** API group. `""` for the core group. */
  readonly group: string;
  /** API version, such as `v1`. */
  readonly version: string;
  /** `group/version`, or `version` in the core group. */
  readonly apiVersion: string;
  /**
   * Creates a kind.
   *
   * @param kind - the name, as in the field `kind` of objects
   * @param options - plural and scope, which are discovered by default
   * @returns the kind
   */
  kind<T extends KubernetesObject>(kind: string, options?: KindOptions): Kind<T>;
}

/**
 * Declares an API group and version.
 *
 * @param group - the API group, such as `apps`; `""` for the core group
 * @param version - the version, such as `v1`
 * @returns the group and version, which creates kinds
 *
 * @example
 * export interface Game extends KubernetesObject {
 *   spec: { players?: Int32 };
 * }
 * export const GroupVersion = groupVersion("myapp.example.com", "v1");
 * export const Game = GroupVersion.kind<Game>("Game");
 */
export function groupVersion(group: string, version: string): GroupVersion {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return Object.freeze({
    group,
    version,
    apiVersion,
    kind<T extends KubernetesObject>(kind: string, options: KindOptions = {}): Kind<T> {
      return Object.freeze({ group, version, kind, apiVersion, ...options });
    },
  });
}

/** Returns the name of a kind in all its versions: `Kind.group`, or only the kind in the core group. */
export function groupKind({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** Splits an `apiVersion` into group and version. The core group is empty. */
export function splitApiVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Returns the group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  return splitApiVersion(apiVersion)[0];
}

/** Returns the URL path under which an API server serves a version of a group. */
export function groupVersionPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
