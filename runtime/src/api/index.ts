// The scalar aliases say what JSON cannot: `scaffold generate` reads them by name. At run time they are plain JSON values.

/** A 32-bit signed integer: `type: integer, format: int32`. */
export type Int32 = number;
/** A 64-bit signed integer: `type: integer, format: int64`. Beyond 2^53 the transport hands out a `bigint`. */
export type Int64 = number;
/** A floating-point number; refused by the generator unless `crd:allowDangerousTypes=true`. */
export type Float32 = number;
/** A floating-point number; refused by the generator unless `crd:allowDangerousTypes=true`. */
export type Float64 = number;
/** Base64 text: `type: string, format: byte`. */
export type Bytes = string;
/** An RFC 3339 time with seconds: `type: string, format: date-time`. */
export type Time = string;
/** An RFC 3339 time with six fraction digits: `type: string, format: date-time`. */
export type MicroTime = string;
/** A Go duration such as `1h30m`. */
export type Duration = string;
/** A Kubernetes quantity such as `500m` or `2Gi`; the server accepts a plain number too. */
export type Quantity = string | number;
/** A number, or a string such as `25%`. */
export type IntOrString = number | string;
/** Any JSON object, stored as it is. */
export type RawExtension = { [key: string]: unknown };
/** Any JSON value, stored as it is. */
export type JSONValue = unknown;
/** A unique identifier that the server gives to each object. */
export type UID = string;

/** The Kubernetes release that the core types are taken from. */
export { KUBERNETES_VERSION } from "./kubernetes-version.ts";

/** Describes the type of an object: what every object and list carries. */
export interface TypeMeta {
  apiVersion: string;
  kind: string;
}

/** Tells that a list holds one shard of the collection, and which. */
export interface ShardInfo {
  /** The shard selector of the request. */
  selector: string;
}

/** What every list carries. */
export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: Int64;
  shardInfo?: ShardInfo;
}

/** Names the object that another one belongs to. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: UID;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which manager owns which fields of an object. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: unknown;
  subresource?: string;
}

/** What every stored object carries. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: UID;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: Time;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: Int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** What an interface extends to be a kind. */
export interface KubernetesObject extends TypeMeta {
  metadata?: ObjectMeta;
}

/** A list of a kind. */
export interface KubernetesList<T extends KubernetesObject> extends TypeMeta {
  metadata: ListMeta;
  items: T[];
}
