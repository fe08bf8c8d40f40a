import type { KubernetesObject } from "../api/index.ts";

/** What an event tells beside its reason and note. */
export interface EventOptions {
  /** What was done; the reason by default: events.k8s.io/v1 demands one. */
  action?: string;
  /** Another object that the event is about. */
  related?: KubernetesObject;
  annotations?: Readonly<Record<string, string>>;
}

/** Writes events about objects: what `kubectl describe` shows. */
export interface EventRecorder {
  /**
   * Says something about an object. Returns at once; a write that fails is tried again, then logged and dropped.
   *
   * @example
   * mgr.recorder("game-controller").event(game, "Normal", "Created", "Created the Deployment");
   */
  event(
    object: KubernetesObject,
    type: "Normal" | "Warning",
    reason: string,
    note: string,
    options?: EventOptions,
  ): void;
}
