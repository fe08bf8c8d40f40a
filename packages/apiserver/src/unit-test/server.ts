import { cloneJson, type Json, type JsonObject } from "@kubewright/cel/json";
import { createEngine } from "../engine/engine.ts";
import type { Clock } from "../engine/options.ts";
import { timestamp, uuid } from "../model/metadata.ts";
import type { Answer, ApiRequest, UserInfo } from "../model/request.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { objectKey, parseStored, storedText } from "../registry/scope.ts";
import type { Collection } from "../storage/collection.ts";
import { installDefinitions } from "./install-definitions.ts";
import { type KindUse, UndefinedKinds } from "./undefined-kinds.ts";

/** A field by which lists and watches of a kind can select objects, although no real server would. */
export interface FieldIndex {
  group: string;
  kind: string;
  field: string;
  /** Returns the values of an object; it is selected by each of them. */
  values(object: JsonObject): readonly (string | undefined)[];
}

/** The options of {@link createUnitTestServer}. */
export interface UnitTestServerOptions {
  /** The CustomResourceDefinitions. */
  crds: readonly JsonObject[];
  /** The objects at the start. They are completed by the defaults of their kinds, but not validated. */
  objects: readonly JsonObject[];
  indexes: readonly FieldIndex[];
  /** Kinds with a status subresource, if no definition describes them. */
  statusSubresource: readonly { group: string; kind: string }[];
  clock?: Clock;
  /** Converts custom resources whose definition has a conversion webhook, in place of the webhook. */
  convert?: (object: JsonObject, apiVersion: string) => Promise<JsonObject>;
  /**
   * The resource version of the first objects that have none, before which no write has one.
   *
   * @defaultValue 999
   */
  revision?: number;
}

/** A server for unit tests. */
export interface UnitTestServer {
  /**
   * Finds the resource of a kind. A kind that isn't built in and that no definition describes is served from now on, with
   * any fields.
   *
   * @param use - the kind, and what is known of it
   * @returns its resource; undefined if the kind doesn't exist
   */
  resource(use: KindUse): { plural: string; namespaced: boolean } | undefined;
  /**
   * Answers a request.
   *
   * @param request - the request
   * @returns the answer. Errors are answers too.
   */
  handle(request: ApiRequest): Promise<Answer>;
  /**
   * Stores an object as it is, in place of one of its name: no rules apply. It keeps its resource version, if it has one.
   *
   * @param object - the object
   * @returns the resource version
   * @throws Error if its kind doesn't exist, or it can't be decoded
   */
  store(object: JsonObject): Promise<string>;
  /**
   * Removes an object: no rules apply. Does nothing if it doesn't exist.
   *
   * @param object - the kind and name of the object
   */
  remove(object: JsonObject): void;
}

/** An object as the store keeps it. */
interface StoredForm {
  collection: Collection;
  key: string;
  /** Empty if the write determines it. */
  resourceVersion: string;
  text: (revision: number) => string;
}

/** The revision of the first objects, as in the fake client of controller-runtime. */
const initialRevision = 999;
const user: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

/**
 * Creates a server for unit tests: it applies the rules of single objects. Namespaces need not exist, every
 * request is permitted, admission doesn't run, and nothing waits for controllers. Custom kinds don't need a definition.
 *
 * @param options - see {@link UnitTestServerOptions}
 * @returns the server
 * @throws Error if a definition or an object can't be stored
 */
export async function createUnitTestServer(options: UnitTestServerOptions): Promise<UnitTestServer> {
  const { clock, convert, crds, objects, indexes, revision = initialRevision } = options;
  const core = createEngine(
    {
      authorization: "always-allow",
      objectsOnly: true,
      fieldIndex: ({ group, kind }, field) =>
        indexes.find((index) => index.field === field && index.kind === kind && index.group === group)?.values,
      ...(clock ? { clock } : {}),
      ...(convert ? { convert } : {}),
    },
    () => "",
  );
  const { engine, definitions } = core;
  const handle = (request: ApiRequest): Promise<Answer> => core.handle({ ...request, user });
  const server: UnitTestServer = { handle, resource: (use) => kinds.resource(use), store, remove };
  const kinds = new UndefinedKinds(engine, definitions, options.statusSubresource);
  await installDefinitions(engine, definitions, handle, crds);
  // A kind has namespaces if one of its objects is in one.
  const uses = objects.map(useOf).sort((one, other) => Number(one.inNamespace) - Number(other.inNamespace));
  for (const use of uses) kinds.type(use);
  const stored = await Promise.all(
    objects.map(async (object) => {
      const { collection, key, text } = await storedForm(object, String(revision));
      return { collection, key, text: text(revision) };
    }),
  );
  engine.store.load(stored, revision);
  return server;

  async function store(object: JsonObject): Promise<string> {
    const { collection, key, text, resourceVersion } = await storedForm(object, "");
    const { revision } = engine.store.put(collection, key, text);
    return resourceVersion || String(revision);
  }

  function remove(object: JsonObject): void {
    const type = kinds.type(useOf(object));
    if (type === undefined) return;
    const { namespace = "", name = "" } = (object as unknown as ApiObject).metadata;
    const collection = engine.store.collection(type.collection);
    const key = objectKey(type, type.namespaced ? namespace : "", name);
    const entry = collection.get(key);
    if (entry !== undefined) engine.store.delete(collection, key, () => entry.text);
  }

  /** The place and the text of an object. Without a version of its own, it has the given one; with none, that of its write. */
  async function storedForm(given: JsonObject, resourceVersion: string): Promise<StoredForm> {
    const { kind, metadata = {} } = given as unknown as ApiObject;
    const what = `objects: ${kind} ${JSON.stringify(metadata.name)}`;
    const type = kinds.type(useOf(given));
    const version = type?.versions.get(useOf(given).version);
    if (type === undefined || version === undefined) throw new Error(`${what}: no kind ${kind} in ${given.apiVersion}`);
    if (type.namespaced && !metadata.namespace) {
      throw new Error(`${what}: a namespace is required, because the kind is namespaced`);
    }
    let object: ApiObject;
    try {
      object = version.codec.decode(given as Json).object;
    } catch (error) {
      throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
    }
    object = await type.convert(object, type.storageVersion);
    object = type.versions.get(type.storageVersion)?.codec.stored?.(object) ?? object;
    const own = object.metadata;
    if (!type.namespaced) delete own.namespace;
    own.uid ||= uuid(engine.random);
    own.creationTimestamp ||= timestamp(engine.now());
    own.resourceVersion ||= resourceVersion;
    const generation = own.generation ?? initialGeneration(type, object);
    if (generation !== undefined) own.generation = generation;
    type.strategy.reclaim?.(object);
    const key = objectKey(type, own.namespace ?? "", own.name as string);
    return {
      collection: engine.store.collection(type.collection),
      key,
      resourceVersion: own.resourceVersion,
      text: (revision) => {
        own.resourceVersion ||= String(revision);
        return storedText(type, object);
      },
    };
  }

  /** The generation that the object would have if a client had created it; undefined for kinds without generations. */
  function initialGeneration(type: ResourceType, object: ApiObject): number | undefined {
    const created = cloneJson(object);
    type.strategy.prepareForCreate?.(created, {
      user,
      dryRun: true,
      now: engine.now(),
      random: engine.random,
      warn: () => {},
      subresource: "",
      put: () => {},
      remove: () => {},
      get: (group, resource, namespace, name) => {
        const of = engine.resource(group, resource);
        const entry = of && engine.store.collection(of.collection).get(objectKey(of, namespace, name));
        return entry && of && parseStored(of, entry.text);
      },
    });
    return created.metadata.generation;
  }
}

function useOf({ apiVersion, kind, metadata }: JsonObject): KindUse {
  const [version = "", group = ""] = String(apiVersion).split("/").reverse();
  const inNamespace = Boolean((metadata as JsonObject | undefined)?.namespace);
  return { group, version, kind: String(kind), inNamespace };
}
