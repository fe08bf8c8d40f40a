import { isObject, type JsonObject } from "@kubewright/cel/json";
import type { Entry } from "../model/stored-state.ts";
import type { Engine } from "../registry/scope.ts";

/** The default of kube-apiserver for `--event-ttl`, in milliseconds. */
const lifetime = 3_600_000;
/** Events that are removed at once. Requests are answered before the next ones. */
const batchSize = 100;
/** Time in milliseconds until the next attempt after a failed write. */
const retryAfter = 10_000;
/** Simulated workloads can create events without end. With them, the oldest events beyond so many are removed. */
const mostEvents = 10_000;

/**
 * Removes events an hour after their last write, as kube-apiserver does: without admission and finalizers.
 *
 * @param engine - the server
 * @param isLimited - whether the number of events is limited, too
 * @returns a function that ends it
 */
export function expireEvents(engine: Engine, isLimited = false): () => void {
  const { store } = engine;
  const events = store.collection("events");
  /** The ends of the events by their keys, the earliest first. Setting the clock of the computer doesn't change them. */
  const ends = new Map<string, number>();
  let isPlanned = false;
  let cancel = (): void => {};

  function plan(least = 0): void {
    const next = ends.values().next().value;
    if (isPlanned || next === undefined) return;
    isPlanned = true;
    cancel = engine.after(
      surplus() > 0 ? least : Math.max(least, next - engine.elapsed()),
      () => {
        isPlanned = false;
        try {
          removeExpired();
          plan();
        } catch {
          // The data file can't be written for now.
          plan(retryAfter);
        }
      },
      true,
    );
  }

  function surplus(): number {
    return isLimited ? ends.size - mostEvents : 0;
  }

  function removeExpired(): void {
    const now = engine.elapsed();
    let removed = 0;
    for (const [key, end] of ends) {
      if ((end > now && surplus() <= 0) || removed >= batchSize) return;
      const entry = events.get(key);
      if (entry !== undefined) store.delete(events, key, (revision) => lastState(entry, revision));
      ends.delete(key);
      removed++;
    }
  }

  // Events of a data file are as old as their last write.
  const stored = events.list("").map((entry): [string, number] => [entry.key, writtenAt(entry)]);
  for (const [key, time] of stored.sort(([, a], [, b]) => a - b)) {
    const age = Math.min(lifetime, Math.max(0, engine.now() - time));
    ends.set(key, engine.elapsed() + lifetime - age);
  }
  const unfollow = events.follow((key, entry) => {
    ends.delete(key);
    if (entry !== undefined) ends.set(key, engine.elapsed() + lifetime);
    if (surplus() === 1 && isPlanned) {
      cancel();
      isPlanned = false;
    }
    plan();
  });
  plan();
  return () => {
    unfollow();
    cancel();
  };
}

function lastState({ text }: Entry, revision: number): string {
  const event = JSON.parse(text) as { metadata: JsonObject };
  return JSON.stringify({ ...event, metadata: { ...event.metadata, resourceVersion: String(revision) } });
}

/** Returns the latest of the times that the server has written, in milliseconds. */
function writtenAt({ text }: Entry): number {
  const { creationTimestamp, managedFields } = (JSON.parse(text) as { metadata: JsonObject }).metadata;
  const fields = Array.isArray(managedFields) ? managedFields.filter(isObject) : [];
  const times = [creationTimestamp, ...fields.map(({ time }) => time)].map((time) => Date.parse(String(time)));
  return Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
}
