/** Conditions for which `True` is bad, by convention. */
const negative = /^(Degraded|Failed|Failing|Stalled|ReplicaFailure|.*Pressure|.*Unavailable)$/;

/** Returns whether a condition reports a problem. */
export function isBadCondition(type: string, status: string): boolean {
  return negative.test(type) ? status === "True" : status === "False";
}
