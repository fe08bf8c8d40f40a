import type { KubernetesObject } from "../api/index.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import type { Random } from "../clock/random.ts";
import type { CreateEvent, DeleteEvent, UpdateEvent } from "../handler/events.ts";
import type { Logger } from "../log/logger.ts";
import { EventDelivery } from "./delivery.ts";
import type { EventMetrics } from "./event-metrics.ts";

/** Receives the changes in a cache. Objects are frozen and shared. */
export interface InformerHandler<T extends KubernetesObject = KubernetesObject> {
  /**
   * Handles a new object: a created one, or one that existed when the watch started or the handler was added.
   *
   * @param event - the object
   */
  create(event: CreateEvent<T>): void | Promise<void>;
  /**
   * Handles a changed object, or one that is repeated by a resync.
   *
   * @param event - the object before and after the change
   */
  update(event: UpdateEvent<T>): void | Promise<void>;
  /**
   * Handles a deleted object.
   *
   * @param event - its last known state
   */
  delete(event: DeleteEvent<T>): void | Promise<void>;
}

export type Notification<T extends KubernetesObject> =
  | { type: "create"; event: CreateEvent<T> }
  | { type: "update"; event: UpdateEvent<T> }
  | { type: "delete"; event: DeleteEvent<T> };

/** A handler that was added to an informer. */
export interface Registration {
  /** Whether the handler has received the whole initial list. */
  readonly hasSynced: boolean;
  /** Resolves when the handler has received the whole initial list. */
  readonly synced: Promise<void>;
  /** Removes the handler, which receives no further events. */
  remove(): void;
}

/**
 * Time in milliseconds after which handlers yield to timers and sockets: leases must be renewed while a long list is
 * delivered.
 */
const slice = 8;

export interface RegistrationOptions {
  clock: Clock;
  log: Logger;
  random?: Random;
  /** Value of the metrics' label `kind`. */
  kind: string;
  metrics?: () => EventMetrics | undefined;
  onRemove: () => void;
}

/**
 * Delivers events to one handler from its own buffer: slow handlers don't delay others, and slow objects don't delay
 * other objects.
 */
export class HandlerRegistration<T extends KubernetesObject> implements Registration {
  readonly synced: Promise<void>;
  readonly #handler: InformerHandler<T>;
  readonly #delivery: EventDelivery<T>;
  readonly #onRemove: () => void;
  readonly #clock: Clock;
  #resolveSynced: () => void = () => {};
  #hasSynced = false;
  #buffer: (Notification<T> | "initial-list-end")[] = [];
  #running = false;
  #removed = false;

  constructor(handler: InformerHandler<T>, options: RegistrationOptions) {
    this.#handler = handler;
    this.#delivery = new EventDelivery({ ...options, dispatch: (event) => this.#dispatch(event as Notification<T>) });
    this.#onRemove = options.onRemove;
    this.#clock = options.clock;
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  remove(): void {
    this.#removed = true;
    this.#buffer = [];
    this.#delivery.close();
    this.#onRemove();
  }

  notify(notification: Notification<T> | "initial-list-end"): void {
    if (this.#removed) return;
    this.#buffer.push(notification);
    if (this.#running) return;
    this.#running = true;
    // In Node.js, queueMicrotask takes longer: it creates an asynchronous resource.
    void Promise.resolve().then(() => this.#deliver());
  }

  async #deliver(): Promise<void> {
    let sliceStart = this.#clock.now();
    // Takes the whole buffer, since shifting single items off a long array is slow.
    while (this.#buffer.length > 0) {
      const batch = this.#buffer;
      this.#buffer = [];
      for (const notification of batch) {
        if (this.#removed) break;
        if (notification === "initial-list-end") {
          const pending = this.#delivery.settled();
          if (pending) void pending.then(() => this.#onSynced());
          else this.#onSynced();
          continue;
        }
        const full = this.#delivery.offer(notification);
        if (full) await full;
        if (this.#clock.now() - sliceStart > slice) {
          await sleep(this.#clock, 0);
          sliceStart = this.#clock.now();
        }
      }
    }
    this.#running = false;
  }

  #onSynced(): void {
    this.#hasSynced = true;
    this.#resolveSynced();
  }

  #dispatch(notification: Notification<T>): void | Promise<void> {
    switch (notification.type) {
      case "create":
        return this.#handler.create(notification.event);
      case "update":
        return this.#handler.update(notification.event);
      case "delete":
        return this.#handler.delete(notification.event);
    }
  }
}
