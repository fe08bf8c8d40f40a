import type { KubernetesObject, ObjectMeta, TypeMeta } from "../api/index.ts";

/**
 * An object with a name.
 *
 * @example
 * function label(found: Named<ConfigMap>): void {
 *   found.metadata.labels = { ...found.metadata.labels, app: found.metadata.name };
 * }
 */
export type Named<T extends KubernetesObject> = T & { metadata: ObjectMeta & { name: string } };

/** An object as reads with `metadataOnly: true` return it, without spec and status. */
export interface MetadataOnly<T extends KubernetesObject = KubernetesObject> extends KubernetesObject {
  /** API version of the object. */
  apiVersion: T["apiVersion"];
  /** Kind of the object. */
  kind: T["kind"];
}

/** An object without apiVersion and kind, which the `Kind` next to it defines. They can be set to the same values. */
export type ObjectBody<T extends KubernetesObject> = {
  [F in keyof T as F extends keyof TypeMeta ? never : F]: T[F];
} & Partial<Pick<T, keyof TypeMeta>>;

/** Excludes a `Kind`, which has all fields that objects require. */
export interface NotAKind {
  /** Never set. */
  objectType?: never;
}

/** A value in which any field is optional, also in the items of lists and the values of maps. */
export type DeepPartial<V> = V extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : V extends object
    ? string extends keyof V
      ? { [F in keyof V]: DeepPartial<V[F]> }
      : { [F in keyof V]?: DeepPartial<V[F]> }
    : V;

/**
 * The fields that one owner applies to an object of type `T`. All fields are optional except `apiVersion`, `kind` and
 * `metadata.name`: the server needs them to find the object.
 *
 * @example
 * const scaled: ApplyConfiguration<Deployment> = {
 *   apiVersion: "apps/v1",
 *   kind: "Deployment",
 *   metadata: { name: "sample", namespace: "default" },
 *   spec: { replicas: 3 },
 * };
 * await client.apply(scaled, { fieldOwner: "game-controller" });
 */
export type ApplyConfiguration<T extends KubernetesObject> = Pick<T, keyof TypeMeta> & {
  metadata: NonNullable<T["metadata"]> & { name: string };
} & { [F in keyof T as F extends keyof KubernetesObject ? never : F]?: DeepPartial<T[F]> };
