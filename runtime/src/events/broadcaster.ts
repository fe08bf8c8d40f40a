import type { Client, Stored } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
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

/** Writes the events of a manager one after the other, and counts repeated ones instead of writing them again. */
export class EventBroadcaster {
  readonly #options: EventBroadcasterOptions;
  readonly #queue: Event[] = [];
  readonly #written = new Map<string, { event: Stored<Event>; at: number }>();
  readonly #stop = new AbortController();
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

  /** Writes what is queued, without trying again what fails; later events are dropped. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#writing;
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
    for (let event = this.#queue.shift(); event; event = this.#queue.shift()) await this.#write(event);
  }

  async #write(event: Event): Promise<void> {
    const { clock, log } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(event);
      } catch (error) {
        // What the server refuses once it refuses always.
        const code = findApiError(error)?.code ?? 0;
        const isRefused = code >= 400 && code < 500 && code !== 429;
        if (isRefused || attempt === attempts || this.#stop.signal.aborted) {
          log.error(error, "Unable to write event", { reason: event.reason, note: event.note });
          return;
        }
        await sleep(clock, retryDelay, this.#stop.signal);
      }
    }
  }

  async #send(event: Event): Promise<void> {
    const { client, clock } = this.#options;
    const key = seriesKey(event);
    const now = clock.now();
    for (const [known, { at }] of this.#written) if (now - at > seriesLifetime) this.#written.delete(known);
    const earlier = this.#written.get(key);
    if (earlier) {
      const count = (earlier.event.series?.count ?? 1) + 1;
      const series = { count, lastObservedTime: event.eventTime };
      try {
        const stored = await client.patch({ ...earlier.event, series }, mergeFrom(earlier.event));
        this.#written.set(key, { event: stored, at: now });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    this.#written.set(key, { event: await client.create(event), at: now });
  }
}
