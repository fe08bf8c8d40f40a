// `scaffold generate` recognizes the scalar aliases by name, to generate more specific schemas. At run time, they are plain
// JSON values.

/** A 32-bit signed integer: `type: integer, format: int32`. */
export type Int32 = number;
/** A 64-bit signed integer: `type: integer, format: int64`. Beyond 2^53, the transport returns a `bigint`. */
export type Int64 = number;
/** A floating-point number. The generator rejects it unless `crd:allowDangerousTypes=true` is set. */
export type Float32 = number;
/** A floating-point number. The generator rejects it unless `crd:allowDangerousTypes=true` is set. */
export type Float64 = number;
/** A Base64 string: `type: string, format: byte`. */
export type Bytes = string;
/** An RFC 3339 time with seconds: `type: string, format: date-time`. */
export type Time = string;
/** An RFC 3339 time with six fraction digits: `type: string, format: date-time`. */
export type MicroTime = string;
/** A Go duration such as `1h30m`. */
export type Duration = string;
/** A Kubernetes quantity such as `500m` or `2Gi`. The server also accepts plain numbers. */
export type Quantity = string | number;
/** A number, or a string such as `25%`. */
export type IntOrString = number | string;
/** Any JSON object, stored unchanged. */
export type RawExtension = { [key: string]: unknown };
/** Any JSON value, stored unchanged. */
export type JSONValue = unknown;
/** A unique identifier that the server assigns to each object. */
export type UID = string;

/** The Kubernetes release of the core types. */
export { KUBERNETES_VERSION } from "./kubernetes-version.ts";

/** The type of an object or list. */
export interface TypeMeta {
  apiVersion: string;
  kind: string;
}

/** Describes the shard of a collection that a list contains. */
export interface ShardInfo {
  /** Shard selector of the request. */
  selector: string;
}

/** Metadata of a list. */
export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: Int64;
  shardInfo?: ShardInfo;
}

/** Refers to an object that owns another one. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: UID;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The fields of an object that a field manager owns. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: unknown;
  subresource?: string;
}

/** Metadata of an object. */
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

/** The base of all kinds. */
export interface KubernetesObject extends TypeMeta {
  metadata?: ObjectMeta;
}

/** A list of objects of one kind. */
export interface KubernetesList<T extends KubernetesObject> extends TypeMeta {
  metadata: ListMeta;
  items: T[];
}
