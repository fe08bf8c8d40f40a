import type { Stored } from "../client/client.ts";
import type { Timer } from "../clock/clock.ts";
import { type Event, seriesKey } from "./event.ts";

/** After so many milliseconds without another one, the same thing is told by a new event. */
const seriesLifetime = 360_000;
const shortestPause = 1000;
const longestPause = 300_000;

/** One event, and how often the same was told again. */
export interface Series {
  key: string;
  event: Event;
  /** As the server has it. */
  stored?: Stored<Event>;
  count: number;
  lastObservedTime: string;
  /** When it was told last, by the clock. */
  seenAt: number;
  /** How much of the count the server knows. */
  written: number;
  writes: number;
  /** No write before; counting must not cost a request each time. */
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
  // In the order in which they were told last.
  readonly #series = new Map<string, Series>();

  /** Counts an event in its series. A new series has a count of 1. */
  add(event: Event, now: number): Series {
    for (const [key, { seenAt }] of this.#series) {
      if (now - seenAt <= seriesLifetime) break;
      this.#series.delete(key);
    }
    const key = seriesKey(event);
    const lastObservedTime = event.eventTime;
    const known = this.#series.get(key);
    const series = known ?? {
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
    return series;
  }

  /** Ends a series: the next event starts a new one. */
  forget(series: Series): void {
    if (this.#series.get(series.key) === series) this.#series.delete(series.key);
  }
}

/** Notes that the server has taken a count. The second event shows at once, later ones after pauses that double. */
export function noteWritten(series: Series, count: number, now: number): void {
  series.written = count;
  series.failures = 0;
  const pause = series.writes === 0 ? 0 : Math.min(shortestPause * 2 ** (series.writes - 1), longestPause);
  series.writes++;
  series.nextWriteAt = now + pause;
}
