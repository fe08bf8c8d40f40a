import type { OperatorState } from "../../../runtime/src/faults/operator-process.ts";

/** The label of everything that a soak creates, and that its operator caches. */
export const soakLabel = "soak";
/** The label of a namespace that the operator must delete. */
export const retiredLabel = "retired";
/** Names of what the self-managed certificates need. */
export const certificateNames = { secret: "soak-webhook-cert", configuration: "soak" };
/** The Lease that candidates take from each other. */
export const rotatedLease = "soak-rotated";

/** The JSON argument of the operator's program. Durations are in milliseconds. */
export interface OperatorSettings {
  host: string;
  webhookPort: number;
  /** Validity of a serving certificate. A CA is valid three times as long. */
  validFor: number;
  /** How long each leader keeps the Lease that the candidates compete for. */
  term: number;
}

/** The operator's state. */
export interface SoakState extends OperatorState {
  /** Whether the caches are in sync and the webhook serves. */
  isReady: boolean;
  /** Numbers of entries in what must not grow: queue, own writes, caches. */
  sizes: Record<string, number>;
  /** Reviews that the webhook has answered. */
  reviews: number;
  /** How often a candidate has taken over the Lease. */
  takeOvers: number;
  /** Answers of the cache that an own write contradicts. */
  contradictions: string[];
}

/** Every second object is reconciled again after a time: the odd half of them soon, the others so late that they wait in the queue. */
export function requeueAfter(name: string): number | undefined {
  const number = numberOf(name);
  if (number % 2 === 1) return undefined;
  return number % 4 === 0 ? 10_000 : 600_000;
}

/** The number at the end of an object's name. */
export function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
