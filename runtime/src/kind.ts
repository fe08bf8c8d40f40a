import type { KubernetesObject } from "./api/index.ts";

/** Options of {@link GroupVersion.kind}. Without them the REST mapper finds plural and scope by discovery, on first use. */
export interface KindOptions {
  /** Resource name in URLs, such as `deployments`. */
  plural?: string;
  scope?: "Namespaced" | "Cluster";
}

/**
 * The value side of a kind: what clients, caches and builders take. The type parameter is only for inference:
 * at run time a kind is its group, version and name.
 */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: T["kind"];
  /** `group/version`, or `version` in the core group: the `apiVersion` of its objects. */
  readonly apiVersion: T["apiVersion"];
  readonly plural?: string;
  readonly scope?: "Namespaced" | "Cluster";
  /** Never set; carries the object type. */
  readonly objectType?: T;
}

/** The object type of a kind value: `ObjectOf<typeof Deployment>`. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

/** An API group and version, from which kinds are made. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  /** The value of a kind, by its name in `kind:`. */
  kind<T extends KubernetesObject>(kind: string, options?: KindOptions): Kind<T>;
}

/**
 * Declares an API group and version, `groupVersion("apps", "v1")`; the core group is `""`.
 *
 * @example
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

/** What identifies a kind in all its versions: `Kind.group`; the bare kind in the core group. */
export function groupKind({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** The path that an API server serves a version of a group below. */
export function groupVersionPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
