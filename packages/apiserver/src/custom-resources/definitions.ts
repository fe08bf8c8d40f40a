import { setMaxListeners } from "node:events";
import { cloneJson, equalJson, type Json, type JsonObject, parseJson } from "@kubewright/cel/json";
import { SystemClient, serverIdentity } from "../client/system-client.ts";
import { WorkQueue } from "../client/work-queue.ts";
import { definitionState, terminating } from "../crd/conditions.ts";
import { isConditionTrue } from "../crd/validate-definition.ts";
import { setCondition } from "../model/conditions.ts";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { type Engine, parseStored } from "../registry/scope.ts";
import { ParsedCollection } from "../storage/parsed-collection.ts";
import { type ConvertCustom, customResourceType } from "./resource-type.ts";

const collectionName = "customresourcedefinitions.apiextensions.k8s.io";
const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";
/** Time in milliseconds from a change to the next check, which covers all changes until then. */
const recheckDelay = 200;

/** Serves the resources that CustomResourceDefinitions describe, and keeps the status of the definitions. */
export class Definitions {
  readonly #engine: Engine;
  readonly #convert: (definition: ApiObject) => ConvertCustom;
  readonly #onChange: () => void;
  readonly #client: SystemClient;
  #queue: WorkQueue;
  /** The resources that are served, by group and name. */
  readonly #types = new Map<string, ResourceType>();
  /** End the watches of the served resources, by the same keys. */
  readonly #retirements = new Map<string, AbortController>();
  /** The definitions that are being deleted, by the collection of their objects, the last of which they wait for. */
  readonly #deleting = new Map<string, string>();
  /** The parts of all definitions that decide about the names of others. */
  readonly #names: ParsedCollection<JsonObject>;
  #published: { state: string; definitions: readonly JsonObject[] } | undefined;

  /**
   * @param engine - the server
   * @param convert - creates the conversion between the versions of a definition
   * @param onChange - called when other resources are served
   */
  constructor(engine: Engine, convert: (definition: ApiObject) => ConvertCustom, onChange: () => void) {
    this.#engine = engine;
    this.#convert = convert;
    this.#onChange = onChange;
    this.#client = new SystemClient(engine, serverIdentity);
    this.#queue = this.#newQueue();
    this.#names = new ParsedCollection(engine.store.collection(collectionName), namesOf);
  }

  #newQueue(): WorkQueue {
    return new WorkQueue(this.#engine, (name) => this.#process(name));
  }

  /** Forgets the work that waits for timers, because these no longer fire. */
  restart(): void {
    this.#queue = this.#newQueue();
  }

  /** Returns the resource; undefined if no established definition describes it. */
  resource(group: string, resource: string): ResourceType | undefined {
    return this.#types.get(`${group}/${resource}`);
  }

  /** Returns all resources of definitions. */
  resources(): ResourceType[] {
    return [...this.#types.values()];
  }

  /** Returns the definitions whose resources are served, the same list until one changes. */
  published(): readonly JsonObject[] {
    const collection = this.#engine.store.collection(collectionName);
    // Revisions repeat after a return to a past state.
    const state = `${collection.rewinds} ${collection.changesSince(0).at(-1)?.revision ?? collection.compacted}`;
    if (this.#published?.state !== state) {
      const all = collection.list("").map(({ text }) => parseJson(text) as unknown as ApiObject);
      const definitions = all.filter((apiObject) =>
        isConditionTrue(apiObject, "Established"),
      ) as unknown as JsonObject[];
      this.#published = { state, definitions };
    }
    return this.#published.definitions;
  }

  /**
   * Serves the resource of a definition that isn't stored, or isn't stored like this.
   *
   * @param definition - the definition
   * @param collection - the collection of its objects; by default that of its names
   * @returns the resource
   */
  serve(definition: ApiObject, collection?: string): ResourceType {
    const made = customResourceType(definition, this.#convert(definition), 0);
    if (collection !== undefined) made.collection = collection;
    this.adopt(made);
    return made;
  }

  /** Serves a resource that was created for another server. */
  adopt(type: ResourceType): void {
    this.#types.set(keyOf(type), type);
    this.#onChange();
  }

  /** Stops serving a resource. */
  withdraw(type: ResourceType): void {
    if (this.#types.delete(keyOf(type))) this.#onChange();
  }

  /**
   * Brings the status of a definition up to date without waiting for the queue, and serves its resource.
   *
   * @param name - the name of the definition
   */
  establish(name: string): Promise<void> {
    return this.#process(name);
  }

  /**
   * Begins to observe the definitions.
   *
   * @returns a function that ends the observation
   */
  start(): () => void {
    const collection = this.#engine.store.collection(collectionName);
    for (const { key, text, revision } of collection.list("")) this.#serve(key, text, revision);
    const ends = [
      collection.follow((key, entry) => {
        if (entry === undefined) this.#remove(key);
        else this.#serve(key, entry.text, entry.revision);
      }),
      this.#engine.store.onWrite(({ name }, change) => {
        const type = this.#types.get(typeKeyOf(name));
        type?.converted?.observe(type, change);
        const waiting = this.#deleting.get(name);
        if (waiting !== undefined) this.#queue.addAfter(waiting, recheckDelay);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #serve(name: string, text: string, revision: number): void {
    const type = this.#engine.resource("apiextensions.k8s.io", "customresourcedefinitions") as ResourceType;
    const definition = parseStored(type, text);
    if (isConditionTrue(definition, "Established")) {
      const made = customResourceType(definition, this.#convert(definition), revision);
      // A new status alone leaves what is stored as it is.
      const served = this.#types.get(keyOf(made));
      if (served !== undefined && equalJson(specOf(served), definition.spec)) {
        made.cleanSince = served.cleanSince as number;
        made.retired = served.retired as AbortSignal;
        if (served.converted) made.converted = served.converted;
      } else made.retired = this.#retire(keyOf(made), true);
      this.#engine.store.reinstate(made.collection);
      // Watches can't begin before the resource was served.
      if (served === undefined) this.#engine.store.collection(made.collection).hide(revision);
      specs.set(made, definition.spec as JsonObject);
      this.#types.set(keyOf(made), made);
      this.#onChange();
    }
    this.#queue.add(name);
  }

  #remove(name: string): void {
    const group = name.slice(name.indexOf(".") + 1);
    const key = typeKeyOf(name);
    this.#checkGroup(group);
    const type = this.#types.get(key);
    if (type === undefined) return;
    this.#types.delete(key);
    this.#deleting.delete(type.collection);
    this.#engine.store.retire(type.collection);
    this.#retire(key, false);
    this.#onChange();
  }

  /** Checks the names of all definitions of a group, because names have become free. */
  #checkGroup(group: string): void {
    for (const { key } of this.#engine.store.collection(collectionName).list(""))
      if (key.endsWith(`.${group}`)) this.#queue.add(key);
  }

  /** Ends the watches of a resource. Returns the signal that ends those to come, if there are any. */
  #retire(key: string, continues: boolean): AbortSignal {
    this.#retirements.get(key)?.abort();
    const next = new AbortController();
    if (continues) {
      setMaxListeners(0, next.signal);
      this.#retirements.set(key, next);
    } else this.#retirements.delete(key);
    return next.signal;
  }

  async #process(name: string): Promise<void> {
    const type = this.#engine.resource("apiextensions.k8s.io", "customresourcedefinitions") as ResourceType;
    const id = { type, namespace: "", name };
    const definition = this.#client.get(id);
    if (definition === undefined) return;
    if (definition.metadata.deletionTimestamp !== undefined) return this.#clean(name, definition);
    const status = this.#statusOf(definition);
    if (equalJson(status, definition.status)) return;
    // As in the real server, a definition is established in a write of its own.
    for (const step of [beforeEstablished(definition, status), status]) {
      if (step === undefined) continue;
      await this.#client.update(
        id,
        (object) => {
          object.status = step;
        },
        "status",
      );
    }
    const before = ((definition.status ?? {}) as JsonObject).acceptedNames;
    if (releasesNames(before, status.acceptedNames)) this.#checkGroup((definition.spec as JsonObject).group as string);
  }

  #statusOf(definition: ApiObject): JsonObject {
    const others = this.#names
      .list()
      .filter(({ metadata }) => (metadata as JsonObject).name !== definition.metadata.name);
    const { acceptedNames, conditions, removed } = definitionState(definition, others);
    const next = cloneJson(definition);
    const now = timestamp(this.#engine.now());
    for (const condition of conditions) setCondition(next, condition, now);
    const status = next.status as JsonObject;
    const kept = (status.conditions as JsonObject[]).filter(({ type }) => !removed.includes(type as string));
    return { ...status, conditions: kept, acceptedNames };
  }

  /** Deletes the objects of a definition that is being deleted, and lets it go when none is left. */
  async #clean(name: string, definition: ApiObject): Promise<void> {
    const spec = definition.spec as JsonObject;
    const served = this.#types.get(`${spec.group}/${(spec.names as JsonObject).plural}`);
    const type = this.#engine.resource("apiextensions.k8s.io", "customresourcedefinitions") as ResourceType;
    const id = { type, namespace: "", name };
    let remaining = 0;
    if (served !== undefined) {
      const collection = this.#engine.store.collection(served.collection);
      this.#deleting.set(collection.name, name);
      for (const { text } of collection.list("")) {
        const { metadata } = JSON.parse(text) as ApiObject;
        if (metadata.deletionTimestamp !== undefined) continue;
        const object = { type: served, namespace: metadata.namespace ?? "", name: metadata.name as string };
        await this.#client.delete(object, metadata.uid as string);
      }
      remaining = collection.size;
    }
    if (remaining > 0) {
      await this.#client.update(
        id,
        (live) => {
          setCondition(live, terminating.inProgress, timestamp(this.#engine.now()));
        },
        "status",
      );
      return;
    }
    await this.#client.update(id, ({ metadata }) => {
      const rest = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
      if (rest.length > 0) metadata.finalizers = rest;
      else delete metadata.finalizers;
    });
  }
}

/** Returns the status of a definition whose names were just accepted, which isn't established yet. */
function beforeEstablished(definition: ApiObject, status: JsonObject): JsonObject | undefined {
  const conditions = status.conditions as JsonObject[];
  const isNew = ({ type, status: is }: JsonObject): boolean => type === "Established" && is === "True";
  if (isConditionTrue(definition, "Established") || !conditions.some(isNew)) return undefined;
  const installing = { status: "False", reason: "Installing" };
  return {
    ...status,
    conditions: conditions.map((condition) => (isNew(condition) ? { ...condition, ...installing } : condition)),
  };
}

/** Returns the parts of a definition that {@link definitionState} reads of others. */
function namesOf(definition: JsonObject): JsonObject {
  const { name = "" } = definition.metadata as JsonObject;
  const { group = "" } = definition.spec as JsonObject;
  const { acceptedNames = {} } = (definition.status ?? {}) as JsonObject;
  return { metadata: { name }, spec: { group }, status: { acceptedNames } };
}

/** Reports whether a definition had a name that it doesn't have anymore. Several definitions can have the same category. */
function releasesNames(before: Json | undefined, now: Json | undefined): boolean {
  const namesOf = (names: Json | undefined): Json[] => {
    const { categories: _, ...unique } = (names ?? {}) as JsonObject;
    return Object.values(unique).flat() as Json[];
  };
  const kept = new Set(namesOf(now));
  return namesOf(before).some((name) => name !== "" && !kept.has(name));
}

const specs = new WeakMap<ResourceType, JsonObject>();

function specOf(type: ResourceType): JsonObject | undefined {
  return specs.get(type);
}

/** Returns the key of the resource of a definition. */
function typeKeyOf(name: string): string {
  const dot = name.indexOf(".");
  return `${name.slice(dot + 1)}/${name.slice(0, dot)}`;
}

function keyOf({ group, resource }: ResourceType): string {
  return `${group}/${resource}`;
}
