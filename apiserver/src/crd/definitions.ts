import { SystemClient } from "../controllers/system-client.ts";
import { WorkQueue } from "../controllers/work-queue.ts";
import type { JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import { timestamp } from "../registry/metadata.ts";
import type { ApiObject, ResourceType } from "../registry/resource.ts";
import { type Engine, parseStored } from "../registry/scope.ts";
import { type ConvertCustom, customResourceType } from "./resource-type.ts";

const collectionName = "customresourcedefinitions.apiextensions.k8s.io";
const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";
const recheckDelay = 200;

interface Condition extends JsonObject {
  type: string;
  status: string;
  reason: string;
  message: string;
}

/** Serves the resources that CustomResourceDefinitions describe, and keeps the status of the definitions. */
export class Definitions {
  readonly #engine: Engine;
  readonly #convert: (definition: ApiObject) => ConvertCustom;
  readonly #onChange: () => void;
  readonly #client: SystemClient;
  readonly #queue: WorkQueue;
  /** The resources that are served, by group and name. */
  readonly #types = new Map<string, ResourceType>();

  /**
   * @param engine - the server
   * @param convert - creates the conversion between the versions of a definition
   * @param onChange - called when other resources are served
   */
  constructor(engine: Engine, convert: (definition: ApiObject) => ConvertCustom, onChange: () => void) {
    this.#engine = engine;
    this.#convert = convert;
    this.#onChange = onChange;
    this.#client = new SystemClient(engine, "apiextensions", "kube-apiserver");
    this.#queue = new WorkQueue(engine, (name) => this.#process(name));
  }

  /** @returns the resource; undefined if no established definition describes it */
  resource(group: string, resource: string): ResourceType | undefined {
    return this.#types.get(`${group}/${resource}`);
  }

  /** @returns all resources of definitions */
  resources(): ResourceType[] {
    return [...this.#types.values()];
  }

  /**
   * Begins to observe the definitions.
   *
   * @returns a function that ends the observation
   */
  start(): () => void {
    const collection = this.#engine.store.collection(collectionName);
    for (const { key, text, revision } of collection.list("")) this.#serve(key, text, revision);
    let position = this.#engine.store.revision;
    return collection.onChange(() => {
      for (const { key, entry, deleted, revision } of collection.changesSince(position)) {
        position = revision;
        if (deleted) this.#remove(key);
        else this.#serve(key, entry.text, revision);
      }
    });
  }

  #serve(name: string, text: string, revision: number): void {
    const type = this.#engine.resource("apiextensions.k8s.io", "customresourcedefinitions") as ResourceType;
    const definition = parseStored(type, text);
    if (conditionOf(definition, "Established")?.status === "True") {
      const made = customResourceType(definition, this.#convert(definition), revision);
      // A new status alone leaves what is stored as it is.
      const known = this.#types.get(name);
      if (known !== undefined && equalJson(specOf(known), definition.spec)) {
        made.cleanSince = known.cleanSince as number;
      }
      specs.set(made, definition.spec as JsonObject);
      this.#types.delete(name);
      this.#types.set(keyOf(made), made);
      this.#onChange();
    }
    this.#queue.add(name);
  }

  #remove(name: string): void {
    const dot = name.indexOf(".");
    if (this.#types.delete(`${name.slice(dot + 1)}/${name.slice(0, dot)}`)) this.#onChange();
  }

  async #process(name: string): Promise<void> {
    const type = this.#engine.resource("apiextensions.k8s.io", "customresourcedefinitions") as ResourceType;
    const id = { type, namespace: "", name };
    const definition = this.#client.get(id);
    if (definition === undefined) return;
    if (definition.metadata.deletionTimestamp !== undefined) return this.#clean(name, definition);
    const status = this.#statusOf(definition);
    if (equalJson(status, definition.status)) return;
    await this.#client.update(
      id,
      (object) => {
        object.status = status;
      },
      "status",
    );
  }

  #statusOf(definition: ApiObject): JsonObject {
    const now = timestamp(this.#engine.now());
    const spec = definition.spec as JsonObject;
    const status = (definition.status ?? {}) as JsonObject;
    const conditions = [...((status.conditions ?? []) as Condition[])];
    const set = (type: string, value: string, reason: string, message: string): void => {
      const index = conditions.findIndex((condition) => condition.type === type);
      const before = conditions[index];
      if (before?.status === value && before.reason === reason && before.message === message) return;
      const lastTransitionTime = before?.status === value ? (before.lastTransitionTime as string) : now;
      const condition = { type, status: value, lastTransitionTime, reason, message };
      if (index < 0) conditions.push(condition);
      else conditions[index] = condition;
    };
    const conflict = this.#nameConflict(definition);
    let acceptedNames = (status.acceptedNames ?? { plural: "", kind: "" }) as JsonObject;
    if (conflict === undefined) {
      acceptedNames = spec.names as JsonObject;
      set("NamesAccepted", "True", "NoConflicts", "no conflicts found");
      set("Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
    } else {
      set("NamesAccepted", "False", conflict.reason, conflict.message);
      if (conditionOf(definition, "Established") === undefined) {
        set("Established", "False", "NotAccepted", "not all names are accepted");
      }
    }
    return { ...status, conditions, acceptedNames };
  }

  /** Finds a name that another definition of the group already has. */
  #nameConflict(definition: ApiObject): { reason: string; message: string } | undefined {
    const spec = definition.spec as JsonObject;
    const names = spec.names as JsonObject;
    const taken = { plural: new Set<string>(), kind: new Set<string>() };
    for (const { key, text } of this.#engine.store.collection(collectionName).list("")) {
      if (key === definition.metadata.name) continue;
      const other = JSON.parse(text) as ApiObject;
      if ((other.spec as JsonObject).group !== spec.group) continue;
      const accepted = ((other.status as JsonObject | undefined)?.acceptedNames ?? {}) as JsonObject;
      const all = [accepted.plural, accepted.singular, ...((accepted.shortNames ?? []) as string[])];
      for (const name of all) if (typeof name === "string" && name !== "") taken.plural.add(name);
      for (const kind of [accepted.kind, accepted.listKind])
        if (typeof kind === "string" && kind !== "") taken.kind.add(kind);
    }
    const checks: [string, "plural" | "kind", unknown, string][] = [
      ["PluralConflict", "plural", names.plural, "plural"],
      ["SingularConflict", "plural", names.singular, "singular"],
      ...((names.shortNames ?? []) as string[]).map((one): [string, "plural", unknown, string] => [
        "ShortNamesConflict",
        "plural",
        one,
        "short name",
      ]),
      ["KindConflict", "kind", names.kind, "kind"],
      ["ListKindConflict", "kind", names.listKind, "list kind"],
    ];
    for (const [reason, set, name] of checks) {
      if (typeof name === "string" && taken[set].has(name))
        return { reason, message: `${JSON.stringify(name)} is already in use` };
    }
    return undefined;
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
      for (const { text } of collection.list("")) {
        const { metadata } = JSON.parse(text) as ApiObject;
        if (metadata.deletionTimestamp !== undefined) continue;
        const object = { type: served, namespace: metadata.namespace ?? "", name: metadata.name as string };
        await this.#client.delete(object, metadata.uid as string);
      }
      remaining = collection.size;
    }
    if (remaining > 0) {
      this.#engine.after(recheckDelay, () => this.#queue.add(name));
      return;
    }
    await this.#client.update(id, ({ metadata }) => {
      const rest = (metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer);
      if (rest.length > 0) metadata.finalizers = rest;
      else delete metadata.finalizers;
    });
  }
}

const specs = new WeakMap<ResourceType, JsonObject>();

function specOf(type: ResourceType): JsonObject | undefined {
  return specs.get(type);
}

function keyOf({ group, resource }: ResourceType): string {
  return `${group}/${resource}`;
}

function conditionOf(definition: ApiObject, type: string): Condition | undefined {
  const conditions = (definition.status as JsonObject | undefined)?.conditions as Condition[] | undefined;
  return conditions?.find((condition) => condition.type === type);
}
