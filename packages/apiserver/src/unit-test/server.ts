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
  const { clock, crds, objects, indexes } = options;
  const core = createEngine(
    {
      authorization: "always-allow",
      objectsOnly: true,
      fieldIndex: ({ group, kind }, field) =>
        indexes.find((index) => index.field === field && index.kind === kind && index.group === group)?.values,
      ...(clock ? { clock } : {}),
    },
    () => "",
  );
  const { engine, definitions } = core;
  const handle = (request: ApiRequest): Promise<Answer> => core.handle({ ...request, user });
  const server = { handle, resource: (use: KindUse) => kinds.resource(use) };
  const kinds = new UndefinedKinds(engine, definitions, options.statusSubresource);
  await installDefinitions(engine, definitions, handle, crds);
  // A kind has namespaces if one of its objects is in one.
  const uses = objects.map(useOf).sort((one, other) => Number(one.inNamespace) - Number(other.inNamespace));
  for (const use of uses) kinds.type(use);
  const stored = await Promise.all(objects.map(async (object) => storedForm(object)));
  engine.store.load(stored, initialRevision);
  return server;

  async function storedForm(given: JsonObject): Promise<{ collection: Collection; key: string; text: string }> {
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
    own.resourceVersion ||= String(initialRevision);
    const generation = own.generation ?? initialGeneration(type, object);
    if (generation !== undefined) own.generation = generation;
    type.strategy.reclaim?.(object);
    const key = objectKey(type, own.namespace ?? "", own.name as string);
    return { collection: engine.store.collection(type.collection), key, text: storedText(type, object) };
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
