import type { KubernetesObject } from "../api/index.ts";

/** Further fields of an event. */
export interface EventOptions {
  /**
   * Action that was taken. events.k8s.io/v1 requires one.
   *
   * @defaultValue the reason
   */
  action?: string;
  /**
   * A second object that the event is about.
   *
   * @defaultValue none
   */
  related?: KubernetesObject;
  /**
   * Annotations of the event.
   *
   * @defaultValue none
   */
  annotations?: Readonly<Record<string, string>>;
}

/** Writes events about objects, which `kubectl describe` shows. */
export interface EventRecorder {
  /**
   * Records an event. It returns immediately; a write that fails is retried, then logged and dropped.
   *
   * @param object - the object that the event is about
   * @param type - `Warning` if something failed
   * @param reason - machine-readable reason in CamelCase
   * @param note - human-readable message
   * @param options - see {@link EventOptions}
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
