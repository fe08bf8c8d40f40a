import type { Client, Stored } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
import { newController } from "../clock/abort.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import { findApiError, isNotFound } from "../errors/predicates.ts";
import type { Logger } from "../log/logger.ts";
import { type Event, newEvent } from "./event.ts";
import type { EventRecorder } from "./recorder.ts";
import { eventOf, noteWritten, type Series, SeriesMemory, storedPart } from "./series.ts";

export interface EventBroadcasterOptions {
  client: Client;
  clock: Clock;
  log: Logger;
}

const maxPending = 1000;
const attempts = 12;
const retryDelay = 10_000;
/** Time limit in milliseconds for writing pending events at the end. */
const lastPatience = 5000;

/**
 * Writes the events of a cluster sequentially. Repeated events are counted, and the count is written periodically. A failed
 * write is retried later and doesn't delay others.
 */
export class EventBroadcaster {
  readonly #options: EventBroadcasterOptions;
  readonly #memory = new SeriesMemory();
  /** Series that aren't written yet: queued, or delayed. */
  readonly #pending = new Set<Series>();
  readonly #queue: Series[] = [];
  #abandon: AbortController | undefined;
  #isStopped = false;
  #writing: Promise<void> | undefined;
  #sequence = 0;
  /** Ends the series that no event continues. */
  #expiry: Timer | undefined;

  constructor(options: EventBroadcasterOptions) {
    this.#options = options;
  }

  recorder(controller: string): EventRecorder {
    return {
      event: (object, type, reason, note, options = {}) => {
        if (type !== "Normal" && type !== "Warning")
          throw new TypeError(`invalid event type ${type}: it must be Normal or Warning`);
        const sequence = this.#sequence++ % 0x10000;
        const date = this.#options.clock.date();
        this.#record(newEvent({ controller, object, type, reason, note, options, date, sequence }));
      },
    };
  }

  /**
   * Writes the pending events for five seconds at most, until the server can't be reached. The rest and later events are dropped.
   */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#isStopped = true;
    (clock.background ?? clock).clearTimeout(this.#expiry);
    // Failed series come last, because the loop stops as soon as the server is unreachable.
    const waiting = [...this.#pending].filter(({ timer }) => timer).sort((a, b) => a.failures - b.failures);
    for (const series of waiting) this.#enqueue(series);
    const late = clock.setTimeout(() => this.#abandon?.abort(), lastPatience);
    await this.#writing;
    clock.clearTimeout(late);
  }

  #record(event: Event): void {
    if (this.#isStopped) return;
    const { clock, log } = this.#options;
    const now = clock.now();
    const series = this.#memory.add(event, now);
    this.#expiry ??= this.#planExpiry(now);
    // A pending series is written with the new count.
    if (this.#pending.has(series)) return;
    if (this.#pending.size >= maxPending) {
      if (!series.stored) this.#memory.forget(series);
      log.warn("Event dropped, because too many events are pending", { reason: event.reason });
      return;
    }
    this.#writeAfter(series, series.nextWriteAt - now);
  }

  /** Frees the memory of series that have ended, also if no event follows. */
  #planExpiry(now: number): Timer | undefined {
    const { clock } = this.#options;
    const end = this.#memory.expire(now);
    if (end === undefined) return undefined;
    const timer = (clock.background ?? clock).setTimeout(
      () => {
        this.#expiry = this.#planExpiry(clock.now());
      },
      end - now + 1,
    );
    timer.unref();
    return timer;
  }

  #writeAfter(series: Series, delay: number): void {
    this.#pending.add(series);
    if (delay <= 0) {
      this.#enqueue(series);
      return;
    }
    series.timer = this.#options.clock.setTimeout(() => this.#enqueue(series), delay);
    series.timer.unref();
  }

  #enqueue(series: Series): void {
    this.#options.clock.clearTimeout(series.timer);
    series.timer = undefined;
    this.#queue.push(series);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    for (let series = this.#queue.shift(); series; series = this.#queue.shift()) {
      const isAnswered = await this.#write(series);
      if (isAnswered || !this.#isStopped || this.#queue.length === 0) continue;
      this.#options.log.warn("Pending events dropped at shutdown", { count: this.#queue.length });
      this.#queue.length = 0;
    }
  }

  /** Writes a series. Returns whether the server responded, by accepting or permanently rejecting the event. */
  async #write(series: Series): Promise<boolean> {
    const { clock } = this.#options;
    const { count } = series;
    try {
      await this.#send(series);
    } catch (error) {
      return this.#failed(series, error);
    }
    noteWritten(series, count, clock.now());
    this.#pending.delete(series);
    if (series.count > count) this.#writeAfter(series, this.#isStopped ? 0 : series.nextWriteAt - clock.now());
    return true;
  }

  /** Handles a failed write. Returns whether the server permanently rejected the event. */
  #failed(series: Series, error: unknown): boolean {
    // The server would reject the event again.
    const code = findApiError(error)?.code ?? 0;
    const isRefused = code >= 400 && code < 500 && code !== 429;
    this.#pending.delete(series);
    if (!isRefused && ++series.failures < attempts && !this.#isStopped) {
      this.#writeAfter(series, retryDelay);
      return false;
    }
    this.#memory.forget(series);
    const { reason, note } = series.event;
    this.#options.log.error(error, "Unable to write event", { reason, note });
    return isRefused;
  }

  async #send(series: Series): Promise<void> {
    const { client } = this.#options;
    this.#abandon ??= newController();
    const { signal } = this.#abandon;
    const event = eventOf(series);
    const { stored } = series;
    if (stored) {
      try {
        const changed = { ...stored, series: event.series } as Stored<Event>;
        series.stored = storedPart(await client.patch(changed, mergeFrom(stored as Event), { signal }));
        return;
      } catch (error) {
        // The event was not found, because servers delete events after some time.
        if (!isNotFound(error)) throw error;
      }
    }
    series.stored = storedPart(await client.create(event, { signal }));
  }
}
