import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import type { FieldError } from "@kubewright/cel/validation";
import type { Encoding } from "./encoding.ts";
import type { UserInfo } from "./request.ts";
import type { Change, Entry } from "./stored-state.ts";
import type { DeleteOptions } from "./write-options.ts";

/** An object of the API with the metadata that all objects have. */
export interface ApiObject extends JsonObject {
  apiVersion?: string;
  kind?: string;
  metadata: Metadata;
}

/** The metadata of an object. */
export interface Metadata extends JsonObject {
  name?: string;
  namespace?: string;
  generateName?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  finalizers?: string[];
  ownerReferences?: JsonObject[];
  managedFields?: JsonObject[];
}

/** An object that was read from a body. */
export interface Decoded {
  object: ApiObject;
  /** Messages about unknown and repeated fields: warnings, or errors with strict validation. */
  strict: string[];
  /** The fields of the root whose lists or maps were empty. They were dropped: nearly all rules treat them as absent. */
  emptied?: ReadonlySet<string>;
}

/** Reads the objects of one version of a kind. */
export interface ObjectCodec {
  /**
   * Reads an object, drops unknown fields, and sets defaults.
   *
   * @param value - the value of the body, or the result of a patch
   * @param converted - whether the messages are those for results of strategic merge patches, which aren't decoded from JSON
   * @returns the object, and messages about unknown fields
   * @throws DecodeError if a value has the wrong type
   */
  decode(value: Json, converted?: boolean): Decoded;
  /**
   * Reads an object that a webhook or a policy has changed. Absent for kinds for which this is the same as `decode`.
   *
   * @throws DecodeError if a value has the wrong type
   */
  decodeAdmitted?(value: Json): Decoded;
  /**
   * Sets the defaults of an object that server-side apply has created. Absent for kinds whose `decode` does that too.
   *
   * @param object - the object; changed
   */
  complete?(object: ApiObject): ApiObject;
  /**
   * Brings an object into the form that it has after storage: for built-in kinds, absent structs exist, and empty lists are
   * absent; for custom resources, empty fields of metadata are absent. The object may be changed.
   *
   * @param object - the object
   * @param isChecked - false for an object that isn't validated yet: empty values that are refused remain
   */
  stored?(object: ApiObject, isChecked?: boolean): ApiObject;
  /**
   * Reads a body in protobuf. Absent for kinds without this encoding.
   *
   * @param bytes - the message, with the prefix of Kubernetes
   * @returns the value for `decode`
   * @throws DecodeError if the bytes are malformed
   */
  fromProtobuf?(bytes: Uint8Array): Json;
  /** Writes an object in protobuf. Absent for kinds without this encoding. */
  toProtobuf?(object: JsonObject): Uint8Array;
}

/** A body that can't be read as an object of the kind. */
export class DecodeError extends Error {
  /** The kind in the body, if it was readable. */
  readonly found: { kind: string; version: string } | undefined;

  constructor(message: string, actual?: { kind: string; version: string }) {
    super(message);
    this.name = "DecodeError";
    this.found = actual;
  }
}

/** The request that the rules of a kind are applied to. */
export interface StrategyContext {
  user: UserInfo;
  dryRun: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** A number in [0, 1). */
  random: () => number;
  /** Adds a warning to the response. */
  warn: (message: string) => void;
  /** Empty for the object itself. */
  subresource: string;
  /** The fields of the root that the client gave with empty lists or maps. */
  emptied?: ReadonlySet<string>;
  /** Reads another object, in its storage version. */
  get: (group: string, resource: string, namespace: string, name: string) => ApiObject | undefined;
  /** Stores an object of the cluster that belongs to the one of the request. */
  put: (group: string, resource: string, object: ApiObject) => void;
  /** Removes such an object, if it is there. */
  remove: (group: string, resource: string, name: string) => void;
}

/** The rules of a kind beyond those of all objects. Functions may change `object`, never `old`. */
export interface Strategy {
  /** Removes what clients can't set, and sets what the server determines. */
  prepareForCreate?(object: ApiObject, context: StrategyContext): void;
  prepareForUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): void;
  validate?(object: ApiObject, context: StrategyContext): FieldError[];
  validateUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): FieldError[];
  /** True if the real server reports an error twice that its rules report twice. */
  repeatsErrors?: boolean;
  warningsOnCreate?(object: ApiObject): string[];
  /** Returns the warnings for a deletion of one or all objects. */
  warningsOnDelete?(options: DeleteOptions): string[];
  warningsOnUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): string[];
  /** The annotations that have no place in the internal form of the kind, and therefore are missing in partial metadata. */
  externalAnnotations?: readonly string[];
  /** True if the kind has no rules for metadata apart from those of `validate` and `validateUpdate`. */
  validatesMetadata?: boolean;
  /** True if finalizers must be qualified with a domain. */
  qualifiedFinalizers?: boolean;
  /** The rules that an update repeats for the kind: those of changes, those of objects, or both. The default is both. */
  metadataOnUpdate?: "changes" | "object" | "both";
  /** Brings a valid object into its canonical form. */
  canonicalize?(object: ApiObject): void;
  /**
   * Assigns what must be unique, such as addresses, before the object is validated. The returned function gives it back if
   * the write fails.
   */
  allocate?(object: ApiObject, old: ApiObject | undefined, context: StrategyContext): (() => void) | undefined;
  /** Called with each object that is in the store when a server starts, to take over what was assigned to it. */
  reclaim?(object: ApiObject): void;
  /** Forgets everything that is assigned, when the store returns to a past state. `reclaim` follows for each object. */
  forgetAssigned?(): void;
  /** Called after an object is gone. */
  release?(object: ApiObject, context: StrategyContext): void;
  /** Called after an update, to give back what only the old state had. */
  replaced?(object: ApiObject, old: ApiObject, context: StrategyContext): void;
  /** True if a PUT creates an object that doesn't exist. */
  allowCreateOnUpdate?: boolean;
  /** False if an update must have a resourceVersion. */
  allowUnconditionalUpdate?: boolean;
  /** Reports whether the object is deleted gracefully, and sets `options.gracePeriodSeconds` then. */
  checkGracefulDelete?(object: ApiObject, options: DeleteOptions): boolean;
  /** Returns the reason for which an object with this name is never deleted on its own. */
  deletionProblem?(name: string): string | undefined;
  /**
   * Holds back a deletion: `marked` if the object was changed to show that it is being deleted, `waits` if it already does.
   * Undefined for a deletion by the general rules.
   */
  holdDeletion?(object: ApiObject, options: DeleteOptions, now: number): "marked" | "waits" | undefined;
  /** `Orphan` for old kinds, `Unsupported` for kinds that never wait for their dependents. */
  garbageCollection?: "Background" | "Orphan" | "Unsupported";
  /** False keeps an object without finalizers that an update would otherwise delete. */
  shouldDeleteDuringUpdate?(object: ApiObject, old: ApiObject): boolean;
  /** Replaces the response of a deletion: `object` for the last state, `status` for a Status. */
  deleteReturns?: "object" | "status";
  /** Returns the problems of a name. The default is a path segment. */
  nameProblems?(name: string, isPrefix: boolean): string[];
  /** Fields that writers of the object, or of a subresource, can't own, by subresource; the key of the object is empty. */
  resetFields?: Record<string, string[][]>;
}

/** A column of a table. */
export interface Column {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

/** How objects become rows of a table. */
export interface TablePrinter {
  columns: readonly Column[];
  /** The rows of a list without objects: `null` for some kinds, otherwise an empty list. */
  rowsOfNone?: null;
  /** Returns the cells of one of the objects of a table, one per column. */
  cells(object: ApiObject, now: number, all: readonly ApiObject[]): Json[];
  /** Returns the conditions of an object's row, if it has any. */
  conditions?(object: ApiObject): Json[] | undefined;
}

/** A subresource of a version. */
export interface SubresourceInfo {
  name: string;
  kind: string;
  /** The group and version of its objects, if they differ from those of the resource. */
  group?: string;
  version?: string;
  verbs: readonly string[];
  /** Reads its objects, if they are of another kind than those of the resource. */
  codec?: ObjectCodec;
  /** The types of the fields of its objects. */
  schema?: Schema;
  /** Writes its objects as rows of tables, if they are of another kind than those of the resource. */
  printer?: TablePrinter;
}

/** A version of a resource that is served. */
export interface ServedVersion {
  version: string;
  verbs: readonly string[];
  /** Why objects can't be created. */
  createProblem?: string;
  subresources: ReadonlyMap<string, SubresourceInfo>;
  codec: ObjectCodec;
  /** The encodings of its objects, the preferred one first. */
  encodings: readonly Encoding[];
  /** The types of its fields, for merges. Undefined if nothing is known of them. */
  schema: Schema | undefined;
  printer: TablePrinter;
  /** A hash of the storage version in discovery. Absent for resources that aren't stored. */
  storageVersionHash?: string;
  /** A warning for each request to this version. */
  deprecation?: string;
  /** The field selectors apart from `metadata.name` and `metadata.namespace`: reads the field as text. */
  fields: Readonly<Record<string, (object: ApiObject) => string>>;
  /** The path of replicas for the scale subresource of a custom resource. */
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
}

/** Converts objects to and from the form of the resource that they are stored with. The objects may be changed. */
export interface StoredForm {
  /** The group of the other resource. */
  group: string;
  write(object: ApiObject): ApiObject;
  read(object: ApiObject): ApiObject;
}

/** The states of a resource in versions that a webhook converts. */
export interface StatesInVersions {
  /** Converts a change to all served versions. */
  observe(type: ResourceType, change: Change): void;
  /** Waits until the changes of a write are converted, for a limited time. */
  settle(engine: {
    sendEvents?: () => Promise<void>;
    after: (milliseconds: number, call: () => void, isBackground?: boolean) => () => void;
  }): Promise<void>;
  /** Returns a new object in a version. */
  read(type: ResourceType, entry: Entry, version: string): Promise<ApiObject>;
  /** Returns a new object in a version; undefined if the webhook hasn't converted the state. */
  known(entry: Entry, version: string): Promise<ApiObject | undefined>;
}

/** A resource: its names, its versions, and the rules of its kind. */
export interface ResourceType {
  group: string;
  resource: string;
  singular: string;
  kind: string;
  listKind: string;
  shortNames: readonly string[];
  categories: readonly string[];
  namespaced: boolean;
  /** The versions that are served, in the order of discovery. */
  versions: ReadonlyMap<string, ServedVersion>;
  /** For custom resources: the versions that are defined and not served. Fields can have owners in them. */
  unserved?: ReadonlyMap<string, Pick<ServedVersion, "schema">>;
  storageVersion: string;
  /** The name of the collection: two resources may share one, such as both kinds of Event. */
  collection: string;
  /** The path of its objects in etcd, which messages show. The default is the name of the resource. */
  registryPath?: string;
  strategy: Strategy;
  /** Absent unless objects are stored in the form of another resource, which shares the collection. */
  storedForm?: StoredForm;
  /** True for custom resources: messages and some rules differ from those of built-in kinds. */
  custom: boolean;
  /** For custom resources: objects that were written before this revision must be decoded when they are read. */
  cleanSince?: number;
  /** True if new objects are stored without some defaults, because the request can't set these fields. Readers add them. */
  dropsDefaults?: boolean;
  /** The states that lists and watches read in other versions than that of storage, if a webhook converts them. */
  converted?: StatesInVersions;
  /** Ends the watches when the definition of the resource changes or goes. */
  retired?: AbortSignal;
  /**
   * Brings an object that was just parsed into the form of its definition, in the storage version: unknown fields are
   * dropped, defaults are set. Absent for built-in kinds, whose types don't change.
   */
  decodeStored?(object: ApiObject): ApiObject;
  /** Drops the fields that a version doesn't have. Absent for built-in kinds, whose conversions do that. */
  dropUnknown?(object: ApiObject, version: string): ApiObject;
  /** Removes the fields that the schema of a version doesn't define. Absent for built-in kinds, whose types refuse them. */
  prune?(object: ApiObject, version: string): void;
  /** Converts an object between versions. The object may be changed. */
  convert(object: ApiObject, version: string): ApiObject | Promise<ApiObject>;
}
