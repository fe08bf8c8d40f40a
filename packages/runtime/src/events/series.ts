import type { Stored } from "../client/client.ts";
import type { Timer } from "../clock/clock.ts";
import { type Event, seriesKey } from "./event.ts";

/** Time in milliseconds after which a repeated event is written as a new event. */
const seriesLifetime = 360_000;
const shortestPause = 1000;
const longestPause = 300_000;
/** Maximum number of series. An event whose series is forgotten is written as a new event. */
const maxSeries = 4096;

export type StoredEvent = Pick<Stored<Event>, "apiVersion" | "kind" | "reason" | "series"> & {
  metadata: { namespace?: string; name: string };
};

/** An event and the number of its repetitions. */
export interface Series {
  key: string;
  event: Event;
  /** The stored event without the fields that no later write needs. */
  stored?: StoredEvent;
  count: number;
  lastObservedTime: string;
  /** Time of the last occurrence, by the clock. */
  seenAt: number;
  /** The count that was last written. */
  written: number;
  writes: number;
  /** Earliest time of the next write, so that not every repetition causes a request. */
  nextWriteAt: number;
  failures: number;
  timer?: Timer;
}

/** Returns the event to store. */
export function eventOf({ event, count, lastObservedTime }: Series): Event {
  return count > 1 ? { ...event, series: { count, lastObservedTime } } : event;
}

/** Recent events by their identity. */
export class SeriesMemory {
  // In the order of their last occurrence.
  readonly #series = new Map<string, Series>();

  /** Counts an event in its series. A new series has a count of 1. */
  add(event: Event, now: number): Series {
    this.expire(now);
    const key = seriesKey(event);
    const lastObservedTime = event.eventTime;
    const earlier = this.#series.get(key);
    const series = earlier ?? {
      key,
      event,
      count: 0,
      lastObservedTime,
      seenAt: now,
      written: 0,
      writes: 0,
      nextWriteAt: 0,
      failures: 0,
    };
    series.count++;
    series.lastObservedTime = lastObservedTime;
    series.seenAt = now;
    this.#series.delete(key);
    this.#series.set(key, series);
    if (this.#series.size > maxSeries) this.#series.delete(this.#series.keys().next().value!);
    return series;
  }

  /** Forgets the series that have ended. Returns the time at which the next one ends, or `undefined` if there is none. */
  expire(now: number): number | undefined {
    for (const [key, { seenAt }] of this.#series) {
      if (now - seenAt <= seriesLifetime) return seenAt + seriesLifetime;
      this.#series.delete(key);
    }
    return undefined;
  }

  /** Ends a series: the next event starts a new one. */
  forget(series: Series): void {
    if (this.#series.get(series.key) === series) this.#series.delete(series.key);
  }
}

/** Returns the part of a stored event that later writes need. */
export function storedPart({ apiVersion, kind, metadata, reason, series }: Stored<Event>): StoredEvent {
  const { namespace, name } = metadata;
  return { apiVersion, kind, metadata: { namespace, name }, reason, series };
}

/**
 * Records that the server accepted a count. The second occurrence is written immediately; later ones after pauses that
 * double.
 */
export function noteWritten(series: Series, count: number, now: number): void {
  series.written = count;
  series.failures = 0;
  const pause = series.writes === 0 ? 0 : Math.min(shortestPause * 2 ** (series.writes - 1), longestPause);
  series.writes++;
  series.nextWriteAt = now + pause;
}
