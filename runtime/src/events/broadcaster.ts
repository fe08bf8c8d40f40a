import type { Client, Stored } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
import { newController } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { findApiError, isNotFound } from "../errors/index.ts";
import type { Logger } from "../log/logger.ts";
import { type Event, newEvent, seriesKey } from "./event.ts";
import type { EventRecorder } from "./recorder.ts";

export interface EventBroadcasterOptions {
  client: Client;
  clock: Clock;
  log: Logger;
}

const maxQueued = 1000;
const attempts = 12;
const retryDelay = 10_000;
const seriesLifetime = 360_000;
/** What is queued at the end is worth that much waiting for a server that doesn't answer. */
const lastPatience = 5000;

/** Writes the events of a manager one after the other, and counts repeated ones instead of writing them again. */
export class EventBroadcaster {
  readonly #options: EventBroadcasterOptions;
  readonly #queue: Event[] = [];
  readonly #written = new Map<string, { event: Stored<Event>; at: number }>();
  readonly #stop = new AbortController();
  readonly #abandon: AbortController = newController();
  #writing: Promise<void> | undefined;
  #sequence = 0;

  constructor(options: EventBroadcasterOptions) {
    this.#options = options;
  }

  recorder(controller: string): EventRecorder {
    return {
      event: (object, type, reason, note, options = {}) => {
        if (type !== "Normal" && type !== "Warning")
          throw new TypeError(`event type ${type} is neither Normal nor Warning`);
        const sequence = this.#sequence++ % 0x10000;
        const date = this.#options.clock.date();
        this.#enqueue(newEvent({ controller, object, type, reason, note, options, date, sequence }));
      },
    };
  }

  /** Writes what is queued, up to the first failure and for five seconds at most; what is left and later events are dropped. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#stop.abort();
    const late = clock.setTimeout(() => this.#abandon.abort(), lastPatience);
    await this.#writing;
    clock.clearTimeout(late);
  }

  #enqueue(event: Event): void {
    if (this.#stop.signal.aborted) return;
    if (this.#queue.length >= maxQueued) {
      this.#options.log.warn("Event dropped, the queue is full", { reason: event.reason });
      return;
    }
    this.#queue.push(event);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    for (let event = this.#queue.shift(); event; event = this.#queue.shift()) {
      const isWritten = await this.#write(event);
      if (isWritten || !this.#stop.signal.aborted || this.#queue.length === 0) continue;
      this.#options.log.warn("Events dropped at the end", { count: this.#queue.length });
      this.#queue.length = 0;
    }
  }

  /** Whether the server has taken it. */
  async #write(event: Event): Promise<boolean> {
    const { clock, log } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#send(event);
        return true;
      } catch (error) {
        // What the server refuses once it refuses always.
        const code = findApiError(error)?.code ?? 0;
        const isRefused = code >= 400 && code < 500 && code !== 429;
        if (isRefused || attempt === attempts || this.#stop.signal.aborted) {
          log.error(error, "Unable to write event", { reason: event.reason, note: event.note });
          return false;
        }
        await sleep(clock, retryDelay, this.#stop.signal);
      }
    }
  }

  async #send(event: Event): Promise<void> {
    const { client, clock } = this.#options;
    const key = seriesKey(event);
    const now = clock.now();
    const { signal } = this.#abandon;
    for (const [known, { at }] of this.#written) if (now - at > seriesLifetime) this.#written.delete(known);
    const earlier = this.#written.get(key);
    if (earlier) {
      const count = (earlier.event.series?.count ?? 1) + 1;
      const series = { count, lastObservedTime: event.eventTime };
      try {
        const stored = await client.patch({ ...earlier.event, series }, mergeFrom(earlier.event), { signal });
        this.#written.set(key, { event: stored, at: now });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    this.#written.set(key, { event: await client.create(event, { signal }), at: now });
  }
}
