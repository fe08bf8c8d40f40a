import { type Engine, parseStored } from "../registry/scope.ts";
import { type ObjectId, SystemClient } from "./system-client.ts";
import { WorkQueue } from "./work-queue.ts";

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
    if ((await this.#empty(name)) > 0) return;
    await this.#client.update(
      { ...id },
      (object) => {
        const spec = (object.spec ?? {}) as { finalizers?: string[] };
        const finalizers = (spec.finalizers ?? []).filter((one) => one !== "kubernetes");
        object.spec = finalizers.length > 0 ? { ...spec, finalizers } : {};
      },
      "finalize",
    );
  }

  /** Deletes all objects in a namespace. Returns how many remain, for their finalizers or grace periods. */
  async #empty(name: string): Promise<number> {
    const seen = new Set<string>();
    let remaining = 0;
    for (const type of this.#engine.resources()) {
      if (!type.namespaced || seen.has(type.collection)) continue;
      seen.add(type.collection);
      const collection = this.#engine.store.collection(type.collection);
      for (const entry of collection.list(`${name}/`)) {
        const { metadata } = parseStored(type, entry.text);
        const id = { type, namespace: name, name: metadata.name as string };
        if (metadata.deletionTimestamp === undefined) await this.#client.delete(id, metadata.uid as string);
      }
      remaining += collection.keys(`${name}/`).length;
    }
    return remaining;
  }
}
