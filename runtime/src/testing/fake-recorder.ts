import type { KubernetesObject } from "../api/index.ts";
import type { EventOptions, EventRecorder } from "../events/recorder.ts";

/** One event that was recorded. */
export interface RecordedEvent extends EventOptions {
  object: KubernetesObject;
  type: "Normal" | "Warning";
  reason: string;
  note: string;
}

/** A recorder that keeps what it is told. */
export interface FakeRecorder extends EventRecorder {
  readonly events: readonly RecordedEvent[];
  /** The events as lines: `Normal Created Created the Deployment`. */
  readonly lines: readonly string[];
  /** Forgets the events so far. */
  clear(): void;
}

/**
 * A recorder for unit tests: it writes no events, tests look at what would have been written.
 *
 * @example
 * const recorder = fakeRecorder();
 * await new GameReconciler(client, recorder).reconcile(testContext(), request);
 * expect(recorder.lines).toEqual(["Normal Created Created the Deployment"]);
 */
export function fakeRecorder(): FakeRecorder {
  const events: RecordedEvent[] = [];
  return {
    event(object, type, reason, note, options = {}) {
      events.push({ object: structuredClone(object), type, reason, note, ...options });
    },
    get events() {
      return events;
    },
    get lines() {
      return events.map(({ type, reason, note }) => `${type} ${reason} ${note}`);
    },
    clear() {
      events.length = 0;
    },
  };
}
