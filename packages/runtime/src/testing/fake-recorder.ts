import type { KubernetesObject } from "../api/index.ts";
import type { EventOptions, EventRecorder } from "../events/recorder.ts";

/** A recorded event. */
export interface RecordedEvent extends EventOptions {
  /** The object that the event is about. */
  object: KubernetesObject;
  /** `Warning` if something failed. */
  type: "Normal" | "Warning";
  /** Machine-readable reason. */
  reason: string;
  /** Human-readable message. */
  note: string;
}

/** Records events in memory. */
export interface FakeRecorder extends EventRecorder {
  /** The recorded events, in order. */
  readonly events: readonly RecordedEvent[];
  /** The recorded events as lines: `Normal Created Created the Deployment`. */
  readonly lines: readonly string[];
  /** Removes all recorded events. */
  clear(): void;
}

/**
 * Creates a recorder for unit tests, which keeps events in memory instead of writing them.
 *
 * @returns the recorder
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
