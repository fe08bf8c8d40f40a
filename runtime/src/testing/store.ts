import type { KubernetesObject, ObjectMeta } from "../api/index.ts";

/** A stored object. It is immutable and never returned without a copy. */
export type StoredObject = KubernetesObject & {
  metadata: ObjectMeta & { name: string; resourceVersion: string; uid: string };
};

export interface StoreEvent {
  type: "ADDED" | "MODIFIED" | "DELETED";
  /** Version of the store after the event. */
  version: number;
  object: StoredObject;
  /** The object before the event. */
  previous: StoredObject | undefined;
}

/** The objects of one kind by namespace and name, and their complete history. */
class Shelf {
  readonly objects = new Map<string, StoredObject>();
  readonly history: StoreEvent[] = [];
  readonly listeners = new Set<() => void>();
}

/** Version of the initial objects, as in controller-runtime's fake client. */
const seededVersion = 999;

/** Storage of a fake server, with one version counter for all objects, as in etcd. */
export class Store {
  #version = seededVersion;
  readonly #shelves = new Map<string, Shelf>();

  get version(): number {
    return this.#version;
  }

  get(kind: string, key: string): StoredObject | undefined {
    return this.#shelves.get(kind)?.objects.get(key);
  }

  /** Lists the objects in key order, like a server. */
  list(kind: string): StoredObject[] {
    const objects = [...(this.#shelves.get(kind)?.objects ?? [])];
    return objects.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** Adds an object to the initial state, with its own version if it has one. */
  seed(kind: string, key: string, object: KubernetesObject): void {
    const resourceVersion = object.metadata?.resourceVersion ?? String(seededVersion);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } } as StoredObject;
    const shelf = this.#shelf(kind);
    shelf.objects.set(key, stored);
    this.#record(shelf, { type: "ADDED", version: seededVersion, object: stored, previous: undefined });
  }

  /** Stores an object under a new version and returns the stored object. */
  put(kind: string, key: string, object: KubernetesObject): StoredObject {
    const shelf = this.#shelf(kind);
    const previous = shelf.objects.get(key);
    const stored = this.#stamp(object);
    shelf.objects.set(key, stored);
    this.#record(shelf, { type: previous ? "MODIFIED" : "ADDED", version: this.#version, object: stored, previous });
    return stored;
  }

  remove(kind: string, key: string, last: KubernetesObject): void {
    const shelf = this.#shelf(kind);
    const previous = shelf.objects.get(key);
    shelf.objects.delete(key);
    const object = this.#stamp(last);
    this.#record(shelf, { type: "DELETED", version: this.#version, object, previous });
  }

  /** Returns the events of a kind after a version. */
  eventsAfter(kind: string, version: number): StoreEvent[] {
    return this.#shelf(kind).history.filter((event) => event.version > version);
  }

  /** Resolves at the next event of a kind, or when the signal aborts. */
  nextEvent(kind: string, signal: AbortSignal | undefined): Promise<void> {
    const { listeners } = this.#shelf(kind);
    return new Promise((resolve) => {
      const done = (): void => {
        listeners.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      listeners.add(done);
      signal?.addEventListener("abort", done, { once: true });
      if (signal?.aborted) done();
    });
  }

  #stamp(object: KubernetesObject): StoredObject {
    this.#version++;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } } as StoredObject;
  }

  #record(shelf: Shelf, event: StoreEvent): void {
    shelf.history.push(event);
    for (const listener of [...shelf.listeners]) listener();
  }

  #shelf(kind: string): Shelf {
    const shelf = this.#shelves.get(kind) ?? new Shelf();
    this.#shelves.set(kind, shelf);
    return shelf;
  }
}
