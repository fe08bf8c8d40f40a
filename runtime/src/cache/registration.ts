import type { KubernetesObject } from "../api/index.ts";
import { newController } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import type { CreateEvent, DeleteEvent, UpdateEvent } from "../handler/events.ts";
import type { Logger } from "../log/logger.ts";
import { isAway } from "./away.ts";

/** What is told of the changes in a cache. Objects are frozen and shared. */
export interface InformerHandler<T extends KubernetesObject = KubernetesObject> {
  /** An object is new: made, or there when the watch began or the handler was added. */
  create(event: CreateEvent<T>): void | Promise<void>;
  /** An object has changed, or comes again in a resync. */
  update(event: UpdateEvent<T>): void | Promise<void>;
  /** An object is gone; the event has its last known state. */
  delete(event: DeleteEvent<T>): void | Promise<void>;
}

export type Notification<T extends KubernetesObject> =
  | { type: "create"; event: CreateEvent<T> }
  | { type: "update"; event: UpdateEvent<T> }
  | { type: "delete"; event: DeleteEvent<T> };

/** A handler added to an informer. */
export interface Registration {
  /** Whether the handler has been given the whole initial list. */
  readonly hasSynced: boolean;
  /** Resolves when it has. */
  readonly synced: Promise<void>;
  /** No more events after this. */
  remove(): void;
}

/** Handlers that take long give way to timers and sockets: a lease must be renewed while a big list is handed out. */
const sliceMilliseconds = 8;
/** For what may pass by itself, and isn't the server's being away. */
const attempts = 5;
const longestPause = 5000;

/** One handler with its own buffer: events in order, one at a time, and a slow handler holds up nobody else. */
export class HandlerRegistration<T extends KubernetesObject> implements Registration {
  readonly synced: Promise<void>;
  readonly #handler: InformerHandler<T>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onRemove: () => void;
  #resolveSynced: () => void = () => {};
  #hasSynced = false;
  #buffer: (Notification<T> | "initial-list-end")[] = [];
  #running = false;
  readonly #removal: AbortController = newController();

  constructor(handler: InformerHandler<T>, options: { clock: Clock; log: Logger; onRemove: () => void }) {
    this.#handler = handler;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onRemove = options.onRemove;
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get #removed(): boolean {
    return this.#removal.signal.aborted;
  }

  remove(): void {
    this.#removal.abort();
    this.#buffer = [];
    this.#onRemove();
  }

  notify(notification: Notification<T> | "initial-list-end"): void {
    if (this.#removed) return;
    this.#buffer.push(notification);
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => void this.#deliver());
  }

  async #deliver(): Promise<void> {
    let sliceStart = performance.now();
    // The buffer is taken whole: shifting single items off a long array is slow.
    while (this.#buffer.length > 0) {
      const batch = this.#buffer;
      this.#buffer = [];
      for (const notification of batch) {
        if (this.#removed) break;
        if (notification === "initial-list-end") {
          this.#hasSynced = true;
          this.#resolveSynced();
          continue;
        }
        const pending = this.#call(notification);
        if (pending) await pending;
        if (performance.now() - sliceStart > sliceMilliseconds) {
          await new Promise((resolve) => setImmediate(resolve));
          sliceStart = performance.now();
        }
      }
    }
    this.#running = false;
  }

  /** Calls the handler; a promise only where there is something to wait for. */
  #call(notification: Notification<T>): Promise<void> | undefined {
    try {
      const result = this.#dispatch(notification);
      return result?.catch((error: unknown) => this.#retry(notification, error));
    } catch (error) {
      return this.#retry(notification, error);
    }
  }

  #dispatch(notification: Notification<T>): Promise<void> | undefined {
    switch (notification.type) {
      case "create":
        return this.#handler.create(notification.event) ?? undefined;
      case "update":
        return this.#handler.update(notification.event) ?? undefined;
      case "delete":
        return this.#handler.delete(notification.event) ?? undefined;
    }
  }

  /** An event is worth a few attempts, and as many as it takes while the server is away: it won't come again. */
  async #retry(notification: Notification<T>, first: unknown): Promise<void> {
    const { namespace, name } = notification.event.object.metadata ?? {};
    const fields = { event: notification.type, namespace, name };
    let error = first;
    for (let attempt = 1; attempt < attempts || isAway(error); attempt++) {
      if (attempt === attempts) this.#log.error(error, "Event handler fails, the event waits for the server", fields);
      await sleep(this.#clock, Math.min(100 * 2 ** attempt, longestPause), this.#removal.signal);
      if (this.#removed) return;
      try {
        await this.#dispatch(notification);
        return;
      } catch (next) {
        error = next;
      }
    }
    this.#log.error(error, "Event handler failed, the event is dropped", fields);
  }
}
