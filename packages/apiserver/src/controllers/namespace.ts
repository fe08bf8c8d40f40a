import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import { type ObjectId, SystemClient } from "../client/system-client.ts";
import { WorkQueue } from "../client/work-queue.ts";
import { setCondition } from "../model/conditions.ts";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { type Engine, stateOf } from "../registry/scope.ts";
import { type Content, namespaceConditions } from "./namespace-conditions.ts";

/** Time in milliseconds from a change to the next check, which covers all changes until then. */
const recheckDelay = 200;

/** Empties namespaces that are being deleted, and lets them go when nothing is left. */
export class NamespaceController {
  readonly #engine: Engine;
  readonly #client: SystemClient;
  readonly #queue: WorkQueue;
  /** The namespaces that are being deleted. They are checked again when an object in them changes. */
  readonly #deleting = new Set<string>();

  /**
   * @param engine - the server
   * @param delay - returns the time in milliseconds from a deletion to its effects; 0 by default
   */
  constructor(engine: Engine, delay?: () => number) {
    this.#engine = engine;
    this.#client = new SystemClient(engine, "namespace-controller");
    this.#queue = new WorkQueue(engine, (name) => this.#process(name), delay);
  }

  /**
   * Begins to observe the namespaces.
   *
   * @returns a function that ends the observation
   */
  start(): () => void {
    const collection = this.#engine.store.collection("namespaces");
    const check = (key: string, text: string): void => {
      if (text.includes('"deletionTimestamp"')) this.#queue.add(key);
    };
    for (const { key, text } of collection.list("")) check(key, text);
    const ends = [
      collection.follow((key, entry) => {
        if (entry !== undefined) check(key, entry.text);
        else this.#deleting.delete(key);
      }),
      this.#engine.store.onWrite((_, { key }) => {
        if (this.#deleting.size === 0) return;
        const namespace = key.slice(0, Math.max(0, key.indexOf("/")));
        if (this.#deleting.has(namespace)) this.#queue.addAfter(namespace, recheckDelay);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  async #process(name: string): Promise<void> {
    const type = this.#engine.resource("", "namespaces");
    if (type === undefined) return;
    const id: ObjectId = { type, namespace: "", name };
    const namespace = this.#client.get(id);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    this.#deleting.add(name);
    const content = await this.#empty(name);
    if (content.remaining.size > 0) {
      await this.#report(id, namespace, content);
      if (content.problems.length > 0) throw new Error(content.problems[0]);
      return;
    }
    await this.#client.update(
      { ...id },
      (object) => {
        const spec = (object.spec ?? {}) as { finalizers?: string[] };
        const finalizers = (spec.finalizers ?? []).filter((finalizer) => finalizer !== "kubernetes");
        object.spec = finalizers.length > 0 ? { ...spec, finalizers } : {};
      },
      "finalize",
    );
  }

  /** Writes what keeps the namespace, unless its status has it already. */
  async #report(id: ObjectId, namespace: ApiObject, content: Content): Promise<void> {
    const time = timestamp(this.#engine.now());
    const set = (object: ApiObject): boolean =>
      namespaceConditions(content)
        .map((condition) => setCondition(object as unknown as JsonObject, condition, time))
        .some((isChanged) => isChanged);
    if (set(cloneJson(namespace))) await this.#client.update(id, set, "status");
  }

  /** Deletes all objects in a namespace, Pods before all others. Returns what remains, for finalizers or grace periods. */
  async #empty(name: string): Promise<Content> {
    const types = [...this.#engine.resources()].filter(({ namespaced }) => namespaced);
    const pods = types.find(({ group, resource }) => group === "" && resource === "pods");
    const content: Content = { remaining: new Map(), finalizers: new Map(), problems: [], onlyPods: true };
    if (pods !== undefined) await this.#emptyOf(pods, name, content);
    if (content.remaining.size > 0) return content;
    content.onlyPods = false;
    const seen = new Set(pods && [pods.collection]);
    for (const type of types) {
      if (seen.has(type.collection)) continue;
      seen.add(type.collection);
      await this.#emptyOf(type, name, content);
    }
    return content;
  }

  async #emptyOf(type: ResourceType, namespace: string, content: Content): Promise<void> {
    const collection = this.#engine.store.collection(type.collection);
    for (const entry of collection.list(`${namespace}/`)) {
      const { metadata } = stateOf(type, entry);
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        await this.#client.delete({ type, namespace, name: metadata.name as string }, metadata.uid as string);
      } catch (error) {
        content.problems.push((error as Error).message);
        // The real controller deletes whole collections, which end with their first error.
        break;
      }
    }
    let count = 0;
    for (const entry of collection.list(`${namespace}/`)) {
      count++;
      for (const finalizer of stateOf(type, entry).metadata.finalizers ?? []) {
        content.finalizers.set(finalizer, (content.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
    if (count > 0) content.remaining.set(type, count);
  }
}
