import type { OperatorState } from "../../../packages/runtime/tests/faults/operator-process.ts";

/** The label of all objects that a soak creates, and that its operator caches. */
export const soakLabel = "soak";
/** The label of a namespace that the operator must delete. */
export const retiredLabel = "retired";
/** The names of the objects for self-managed certificates. */
export const certificateNames = { secret: "soak-webhook-cert", configuration: "soak" };
/** The Lease that the candidates compete for. */
export const rotatedLease = "soak-rotated";

/** The JSON argument of the operator's program. Durations are in milliseconds. */
export interface OperatorSettings {
  host: string;
  webhookPort: number;
  /** The validity of a serving certificate. A CA is valid three times as long. */
  validFor: number;
  /** The time for which each leader keeps the candidates' Lease. */
  term: number;
}

/** The operator's state. */
export interface SoakState extends OperatorState {
  /** Whether the caches are in sync and the webhook serves. */
  isReady: boolean;
  /** The part of the heap, in bytes, that compiled code and its metadata take. */
  code: number;
  /** The sizes of structures that must not grow: queue, own writes, caches. */
  sizes: Record<string, number>;
  /** Number of reviews that the webhook has answered. */
  reviews: number;
  /** How often a candidate has taken over the Lease. */
  takeOvers: number;
  /** Cached values that contradict an own write. */
  contradictions: string[];
}

/**
 * Returns when to reconcile every second object again: half of them soon, the others so late that they wait in the queue.
 */
export function requeueAfter(name: string): number | undefined {
  const number = numberOf(name);
  if (number % 2 === 1) return undefined;
  return number % 4 === 0 ? 10_000 : 600_000;
}

/** Returns the number at the end of an object's name. */
export function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
