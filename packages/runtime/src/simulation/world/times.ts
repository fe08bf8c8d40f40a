/** Virtual time in milliseconds without effects after which a world is settled. Retries and leases take less. */
const horizon = 120_000;
/** The same while reconciles fail: the longest delay of a retry is 1000 s. */
const failingHorizon = 1_100_000;
/** Time in milliseconds that no schedule takes. */
export const unending: number = 10 * 365 * 24 * 3_600_000;
/** Times in milliseconds that Pods take to become ready. */
export const readyTimes: readonly number[] = [100, 5000, 30_000, 60_000, unending];
/** Times in milliseconds by which the garbage collector is late. */
export const collectTimes = [0, 5000, 20_000, 60_000] as const;
/** Time in milliseconds that kube-controller-manager waits before it empties a namespace. */
export const namespaceTime = 5000;

/** The times of Leases in milliseconds. Longer ones than the defaults leave more steps for the operator. */
export const electionTimes = { leaseDuration: 80_000, renewDeadline: 60_000, retryPeriod: 20_000 } as const;

/** Virtual time in milliseconds in which a manager that shares the objects with others stops. */
export const stopTime = 300_000;

/** Returns the virtual time in milliseconds without effects after which the world of some processes is settled. */
export function horizonOf(processes: readonly { failing: ReadonlyMap<string, Error> }[]): number {
  return processes.some(({ failing }) => failing.size > 0) ? failingHorizon : horizon;
}

/** Describes when Pods become ready. */
export function podsAreReady(after: number): string {
  return after >= unending ? "Pods never become ready" : `Pods become ready after ${after / 1000} s`;
}
