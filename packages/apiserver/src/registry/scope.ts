import { encodeJson, encodeSorted, type Json, type JsonObject, orderedBy, parseJson } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import type { FeatureGates } from "../data/feature-gates.ts";
import type { KubernetesVersion } from "../data/versions.ts";
import type { Admission } from "../model/admission.ts";
import type { AccessRequest, Authorizer } from "../model/authorizer.ts";
import type { Encoding } from "../model/encoding.ts";
import type { FieldManager } from "../model/field-manager.ts";
import type { ApiRequest, UserInfo } from "../model/request.ts";
import type { ApiObject, ObjectCodec, ResourceType, ServedVersion, StrategyContext } from "../model/resource.ts";
import { forbidden, type GroupResource, type StatusError } from "../model/status.ts";
import type { Entry } from "../model/stored-state.ts";
import type { Expected } from "../request/body.ts";
import { requestTimeout } from "../request/deadline.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { Collection } from "../storage/collection.ts";
import { RecentValues } from "../storage/recent-values.ts";
import type { Store } from "../storage/store.ts";
import { parsedCopy } from "./parsed-copy.ts";

/**
 * Creates the answer to a create of a resource that isn't stored, such as a review.
 *
 * @param scope - the request
 * @param object - the object after mutating admission, which may be changed
 * @param validate - validating admission
 * @returns the object of the response
 * @throws StatusError if the object is invalid
 */
export type VirtualCreate = (
  scope: Scope,
  object: ApiObject,
  validate: (object: ApiObject) => Promise<void>,
) => Promise<ApiObject>;

/**
 * Waits until a controller may do its next step.
 *
 * @throws Error if the server stops, or has restarted since the controller started
 */
export type Step = () => Promise<void>;

/** The parts that the handlers of requests share. */
export interface Engine {
  /** Creates of resources that aren't stored, by group and resource, such as `authorization.k8s.io/subjectaccessreviews`. */
  virtual?: ReadonlyMap<string, VirtualCreate>;
  store: Store;
  admission: Admission;
  authorizer: Authorizer;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds that never decrease. */
  elapsed: () => number;
  /** A number in [0, 1). */
  random: () => number;
  /**
   * Calls a function later. `isBackground` marks calls that only keep watches current. Returns a function that cancels the call.
   */
  after: (milliseconds: number, call: () => void, isBackground?: boolean) => () => void;
  /**
   * Waits until watches have sent what is stored. Absent in process, where requests alone decide about the order of events.
   */
  sendEvents?: () => Promise<void>;
  /**
   * Creates the function that a controller calls before each step, which waits until the requests that have arrived are
   * answered. Absent with a simulated clock, where timers alone decide about the order of events.
   */
  newSteps?: () => Step;
  /**
   * Waits until the requests that have arrived are answered. Absent with a simulated clock, as `newSteps`.
   */
  nextTurn?: () => Promise<unknown>;
  /** Returns the resource, if it is served. */
  resource: (group: string, resource: string) => ResourceType | undefined;
  /** Returns all resources. */
  resources: () => Iterable<ResourceType>;
  /** The version of Kubernetes whose built-in kinds are served. */
  kubernetes: KubernetesVersion;
  /** The features that are on. */
  gates: FeatureGates;
  /** Reads the options of a deletion from a body. */
  metaOptions: (encoding: Encoding, body: Uint8Array | string) => Json;
  /** Writes a Status, partial metadata or a document of discovery in protobuf. */
  metaToProtobuf: (document: JsonObject) => Uint8Array;
  /** Returns the codec of a built-in kind, for messages about other kinds in bodies; undefined for other kinds. */
  builtinCodec: (group: string, version: string, kind: string) => ObjectCodec | undefined;
  /** Returns the tracker of owners for a request. */
  fieldManager: (scope: Scope) => FieldManager;
  /** False if no deletion waits for a garbage collector. */
  collectsGarbage?: boolean;
  /** Returns a function that reads the values of a field by which only this server can select objects; undefined for other fields. */
  fieldIndex?: (type: ResourceType, field: string) => FieldValues | undefined;
  /** Whether the simulated controllers record events. */
  recordsEvents: boolean;
  /** Ends all streams when it is aborted. */
  stopping: AbortSignal;
}

/** Reads the values of a field: an object is selected by each of them. */
export type FieldValues = (object: ApiObject) => readonly (string | undefined)[];

/** One request to a resource: what it is about, and who sends it. */
export class Scope {
  readonly engine: Engine;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly type: ResourceType;
  readonly version: ServedVersion;
  readonly user: UserInfo;
  readonly warnings: Set<string>;
  /** When the request must be answered, by {@link Engine.elapsed}. */
  deadline: number;
  /** The fields of the object of the request that were given with empty lists or maps. */
  #emptied: ReadonlySet<string> = new Set();

  constructor(
    engine: Engine,
    request: ApiRequest,
    info: RequestInfo,
    type: ResourceType,
    version: ServedVersion,
    user: UserInfo,
    warnings: Set<string> = new Set(),
  ) {
    this.engine = engine;
    this.request = request;
    this.info = info;
    this.type = type;
    this.version = version;
    this.user = user;
    this.warnings = warnings;
    this.deadline = engine.elapsed() + requestTimeout;
  }

  /** The collection of the resource. */
  get collection(): Collection {
    return this.engine.store.collection(this.type.collection);
  }

  get groupResource(): GroupResource {
    return { group: this.type.group, resource: this.type.resource };
  }

  /** The group and version of the request, as in `apiVersion`. */
  get apiVersion(): string {
    return this.type.group === "" ? this.version.version : `${this.type.group}/${this.version.version}`;
  }

  /**
   * The version in which the rules of the kind see objects: that of storage for built-in kinds, that of the request for
   * custom resources.
   */
  get hub(): string {
    return this.type.custom ? this.version.version : this.type.storageVersion;
  }

  /** Returns the name of the field manager: the given one, or the beginning of the user agent. */
  manager(given: string): string {
    if (given !== "") return given;
    const agent = this.request.headers["user-agent"];
    // Node.js reads header fields as Latin-1, and Go as UTF-8.
    const bytes = Buffer.from((Array.isArray(agent) ? agent[0] : agent) ?? "", "latin1");
    const text = bytes.toString("utf8").split("/")[0] as string;
    let manager = "";
    for (const char of text) {
      if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
      if (Buffer.byteLength(manager + char) > 128) break;
      manager += char;
    }
    return manager;
  }

  /** Returns a codec that notes which empty fields it dropped. */
  #noting(codec: ObjectCodec): ObjectCodec {
    if (this.type.custom) return codec;
    return {
      ...codec,
      decode: (value, converted) => {
        const decoded = codec.decode(value, converted);
        this.#emptied = decoded.emptied ?? new Set();
        return decoded;
      },
    };
  }

  /** The kind of the bodies of this request. Subresources may have a kind of their own. */
  expected(): Expected & { schema: Schema | undefined } {
    const { type, version, info } = this;
    const sub = version.subresources.get(info.subresource);
    const own = {
      group: type.group,
      version: version.version,
      kind: type.kind,
      codec: this.#noting(version.codec),
      schema: version.schema,
    };
    const other = sub?.codec === undefined ? undefined : sub;
    return {
      ...own,
      ...(other === undefined
        ? {}
        : {
            group: other.group ?? type.group,
            version: other.version ?? version.version,
            kind: other.kind,
            codec: other.codec as ObjectCodec,
            schema: other.schema,
          }),
      custom: type.custom && other === undefined,
      isScaleOfCustom: type.custom && other !== undefined,
      codecOf: this.engine.builtinCodec,
    };
  }

  /** The tracker of owners for this request. */
  fieldManager(): FieldManager {
    return this.engine.fieldManager(this);
  }

  /** Adds a warning to the response, once. */
  warn(message: string): void {
    this.warnings.add(message);
  }

  /** Returns the same request, with the same warnings, for objects of another namespace. */
  forObject(namespace: string): Scope {
    const { engine, request, info, type, version, user, warnings } = this;
    const own = { ...info, namespace: type.namespaced ? namespace : "" };
    const scope = new Scope(engine, request, own, type, version, user, warnings);
    scope.deadline = this.deadline;
    return scope;
  }

  /** Returns the context for the rules of a kind. */
  context(dryRun: boolean): StrategyContext {
    return {
      user: this.user,
      dryRun,
      now: this.engine.now(),
      random: this.engine.random,
      warn: (message) => this.warn(message),
      subresource: this.info.subresource,
      emptied: this.#emptied,
      get: (group, resource, namespace, name) => {
        const type = this.engine.resource(group, resource);
        const entry = type && this.engine.store.collection(type.collection).get(objectKey(type, namespace, name));
        return entry && type && parseStored(type, entry.text);
      },
      put: (group, resource, object) => {
        const { store } = this.engine;
        const type = this.engine.resource(group, resource) as ResourceType;
        const { name = "" } = object.metadata;
        store.put(store.collection(type.collection), name, (revision) => textAt(type, object, revision));
      },
      remove: (group, resource, name) => {
        const { store } = this.engine;
        const type = this.engine.resource(group, resource) as ResourceType;
        const collection = store.collection(type.collection);
        const entry = collection.get(name);
        if (entry === undefined) return;
        store.delete(collection, name, (revision) => textAt(type, parseStored(type, entry.text), revision));
      },
    };
  }
}

function textAt(type: ResourceType, object: ApiObject, revision: number): string {
  return storedText(type, { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

/** Returns the key of an object in its collection. */
export function objectKey(type: ResourceType, namespace: string, name: string): string {
  return type.namespaced ? `${namespace}/${name}` : name;
}

/**
 * Reads the stored text of an object. Built-in kinds are stored without `apiVersion` and `kind`, so that a response can
 * put them in front of the text.
 *
 * @param type - the resource
 * @param text - the stored text
 * @returns a new object in the storage version
 */
export function parseStored(type: ResourceType, text: string): ApiObject {
  const parsed = parseJson(text) as unknown as ApiObject;
  if (type.custom) return parsed;
  const object = type.storedForm?.read(parsed) ?? parsed;
  return { kind: type.kind, apiVersion: storageApiVersion(type), ...object };
}

/** The parsed forms of stored states, which take twice the memory of the texts. */
const parsedStates = new RecentValues<Entry, ApiObject>(1000);

/**
 * Reads a stored state that several parts of the server read, mostly soon after it was written. It is parsed once, except for
 * a resource with a form of its own, because two resources read its states.
 *
 * @param type - the resource
 * @param entry - the stored state
 * @returns the object in the storage version. All callers share it: it must not be changed.
 */
export function stateOf(type: ResourceType, entry: Entry): ApiObject {
  if (type.storedForm) return parseStored(type, entry.text);
  return parsedStates.get(entry, ({ text }) => parseStored(type, text));
}

/**
 * Keeps the state that a write stores, so that its text isn't parsed: the garbage collector and other parts of the server read
 * almost all states. This saves 3 % of the time of a write.
 *
 * @param type - the resource
 * @param entry - the stored state
 * @param object - the object whose text is stored
 */
export function rememberState(type: ResourceType, entry: Entry, object: ApiObject): void {
  // Texts of custom resources have another order of keys.
  if (type.custom || type.storedForm) return;
  const state = parsedCopy({ kind: type.kind, apiVersion: storageApiVersion(type), ...storedFields(object) });
  if (state !== undefined) parsedStates.get(entry, () => state as unknown as ApiObject);
}

/**
 * Converts an object on its way from or to the store: fields that the new version doesn't have are lost.
 *
 * @param type - the resource
 * @param object - the object; may be changed
 * @param version - the new version
 * @returns the object in that version
 */
export async function convertStored(type: ResourceType, object: ApiObject, version: string): Promise<ApiObject> {
  const before = object.apiVersion;
  const { resourceVersion } = object.metadata;
  // Stored objects have no resourceVersion, which matters to the webhooks that convert custom resources.
  if (type.custom) delete object.metadata.resourceVersion;
  const converted = await type.convert(object, version);
  if (type.custom && resourceVersion !== undefined) converted.metadata.resourceVersion = resourceVersion;
  return converted.apiVersion === before ? converted : (type.dropUnknown?.(converted, version) ?? converted);
}

/** Returns the text to store for an object in the storage version. */
export function storedText(type: ResourceType, object: ApiObject): string {
  if (type.custom) return encodeSorted(object);
  return encodeJson(storedFields(type.storedForm?.write({ ...object }) ?? object));
}

function storedFields({ apiVersion: _apiVersion, kind: _kind, metadata, ...rest }: ApiObject): JsonObject {
  return { metadata: inGoOrder(metadata), ...rest };
}

const metadataKeys = [
  ...["name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp"],
  ...["deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers"],
];

/** Returns metadata with its keys in the order of Go's struct. */
export function inGoOrder(metadata: ApiObject["metadata"]): JsonObject {
  const ordered = orderedBy(metadata, metadataKeys);
  if (metadata.ownerReferences !== undefined) {
    ordered.ownerReferences = metadata.ownerReferences.map((owner) => orderedBy(owner, ownerKeys));
  }
  if (metadata.managedFields !== undefined) {
    ordered.managedFields = metadata.managedFields.map((entry) => orderedBy(entry, entryKeys));
  }
  return ordered;
}

const ownerKeys = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
const entryKeys = ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"];

/** Returns the group and version in which objects are stored, as in `apiVersion`. */
export function storageApiVersion(type: ResourceType): string {
  return type.group === "" ? type.storageVersion : `${type.group}/${type.storageVersion}`;
}

/**
 * Creates the error for a refused request.
 *
 * @param access - what the user wanted
 * @param reason - why it was refused; empty for no reason
 * @returns the error
 */
export function accessDenied(access: AccessRequest, reason: string): StatusError {
  const { user, verb, namespace } = access;
  const suffix = reason === "" ? "" : `: ${reason}`;
  if (!access.isResource) {
    const problem = `User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(access.path)}`;
    return forbidden({ group: "", resource: "" }, "", escapeHtml(problem) + suffix);
  }
  const resource = access.subresource === "" ? access.resource : `${access.resource}/${access.subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const problem = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(access.group)} ${where}`;
  return forbidden({ group: access.group, resource: access.resource }, access.name, escapeHtml(problem) + suffix);
}

/** Keeps browsers from taking a message for HTML. */
function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
