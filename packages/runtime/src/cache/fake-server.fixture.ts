import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import type { TransportStream } from "../transport/transport.ts";
import type { ListPage, ListRequest, ListWatch, WatchRequest } from "./list-watch.ts";

export interface Thing extends KubernetesObject {
  value?: string;
}

export const Thing: Kind<Thing> = groupVersion("test", "v1").kind<Thing>("Thing");

interface Event {
  type: string;
  object: KubernetesObject;
}

/** A server of one kind that fails on command. Its resource versions are plain counters. */
export class FakeServer implements ListWatch {
  readonly objects: Map<string, Thing> = new Map();
  /** Every request, as `list 0`, `list  (page 2)`, `watch 7` or `stream `. */
  readonly requests: string[] = [];
  streamsLists = true;
  isDown = false;
  /** Called before each request. Throws an error to reject the request. */
  refuse: (request: string) => void = () => {};
  #version = 10;
  #uid = 0;
  #oldest = 0;
  #log: { version: number; event: Event }[] = [];
  #watches = new Set<FakeStream>();

  get openWatches(): number {
    return this.#watches.size;
  }

  put(name: string, value: string, namespace = "ns"): Thing {
    const key = `${namespace}/${name}`;
    const stored = this.objects.get(key);
    const object: Thing = {
      apiVersion: "test/v1",
      kind: "Thing",
      metadata: {
        name,
        namespace,
        uid: stored?.metadata?.uid ?? `uid-${++this.#uid}`,
        resourceVersion: String(++this.#version),
        labels: { value },
        managedFields: [{ manager: "somebody" }],
      },
      value,
    };
    this.objects.set(key, object);
    this.#emit(stored ? "MODIFIED" : "ADDED", object);
    return structuredClone(object);
  }

  delete(name: string, namespace = "ns"): void {
    const key = `${namespace}/${name}`;
    const object = structuredClone(this.objects.get(key)!);
    this.objects.delete(key);
    object.metadata!.resourceVersion = String(++this.#version);
    this.#emit("DELETED", object);
  }

  /** Increments the version, as changes of other kinds do, and sends a bookmark. */
  bookmark(): void {
    this.#version++;
    this.#send({ type: "BOOKMARK", object: this.#bookmark() });
  }

  /** Drops the history: watches from older versions are rejected with 410. */
  compact(): void {
    this.#oldest = this.#version;
    this.#log = [];
  }

  /** Ends the open watches, as a server does after their timeout. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end();
  }

  /** Breaks the open watches with an error. */
  breakWatches(error: Error = new TransportError("ECONNRESET", "socket hang up")): void {
    for (const watch of this.#watches) watch.end(error);
  }

  /** Sends a raw value to the open watches. */
  sendRaw(value: unknown): void {
    for (const watch of this.#watches) watch.push(value);
  }

  async list(request: ListRequest): Promise<ListPage> {
    this.#request(`list ${request.resourceVersion ?? ""}${request.continue ? ` (page ${request.continue})` : ""}`);
    const items = [...this.objects.values()].map((object) => structuredClone(object));
    const start = Number(request.continue ?? 0);
    const end = request.limit === undefined ? items.length : start + request.limit;
    return {
      items: items.slice(start, end),
      resourceVersion: String(this.#version),
      continue: end < items.length ? String(end) : undefined,
    };
  }

  async watch(request: WatchRequest): Promise<TransportStream> {
    this.#request(`${request.sendInitialEvents ? "stream" : "watch"} ${request.resourceVersion ?? ""}`);
    if (request.sendInitialEvents && !this.streamsLists) {
      throw ApiError.create(422, "Invalid", "sendInitialEvents is forbidden");
    }
    const stream = new FakeStream(request.signal, () => this.#watches.delete(stream));
    this.#watches.add(stream);
    const from = Number(request.resourceVersion || this.#version);
    if (request.sendInitialEvents) {
      for (const object of this.objects.values()) stream.push({ type: "ADDED", object: structuredClone(object) });
      stream.push({ type: "BOOKMARK", object: this.#bookmark({ "k8s.io/initial-events-end": "true" }) });
    } else if (from < this.#oldest) {
      stream.push({ type: "ERROR", object: ApiError.create(410, "Expired", "too old resource version").status });
      stream.end();
    } else {
      for (const { version, event } of this.#log) if (version > from) stream.push(structuredClone(event));
    }
    return stream;
  }

  #request(text: string): void {
    this.requests.push(text);
    if (this.isDown) throw new TransportError("ECONNREFUSED", "connect ECONNREFUSED");
    this.refuse(text);
  }

  #emit(type: string, object: KubernetesObject): void {
    const event = { type, object };
    this.#log.push({ version: this.#version, event: structuredClone(event) });
    this.#send(event);
  }

  #send(event: Event): void {
    for (const watch of this.#watches) watch.push(structuredClone(event));
  }

  #bookmark(annotations?: Record<string, string>): KubernetesObject {
    return { apiVersion: "test/v1", kind: "Thing", metadata: { resourceVersion: String(this.#version), annotations } };
  }
}

class FakeStream implements TransportStream {
  readonly #values: unknown[] = [];
  readonly #onClose: () => void;
  #isEnded = false;
  #error: unknown;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal, onClose: () => void) {
    this.#onClose = onClose;
    signal.addEventListener("abort", () => this.end(), { once: true });
  }

  push(value: unknown): void {
    this.#values.push(value);
    this.#wake();
  }

  end(error?: unknown): void {
    this.#isEnded = true;
    this.#error = error;
    this.#onClose();
    this.#wake();
  }

  async close(): Promise<void> {
    this.end(this.#error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift();
      if (this.#isEnded) {
        if (this.#error) throw this.#error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
