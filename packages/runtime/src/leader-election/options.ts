/** Timing of leader election. */
export interface LeaseOptions {
  /**
   * Time in milliseconds that other candidates wait after the last renewal before they take over.
   *
   * @defaultValue 15000
   */
  leaseDuration?: number;
  /**
   * Time in milliseconds in which the leader must renew its lease before it stops leading.
   *
   * @defaultValue 10000
   */
  renewDeadline?: number;
  /**
   * Time in milliseconds between attempts to acquire or renew the lease.
   *
   * @defaultValue 2000
   */
  retryPeriod?: number;
}

/** The durations with all defaults. */
export type LeaseDurations = Required<LeaseOptions>;

/** Maximum factor by which the retry period is extended, so that candidates don't send their requests at the same time. */
export const jitterFactor = 1.2;

/** Applies the defaults. Throws an `Error` if another process could take over before the leader notices. */
export function leaseDurations(options: LeaseOptions): LeaseDurations {
  const durations = {
    leaseDuration: options.leaseDuration ?? 15_000,
    renewDeadline: options.renewDeadline ?? 10_000,
    retryPeriod: options.retryPeriod ?? 2000,
  };
  if (durations.leaseDuration <= durations.renewDeadline) {
    throw new Error("leaseDuration must be greater than renewDeadline");
  }
  if (durations.renewDeadline <= jitterFactor * durations.retryPeriod) {
    throw new Error(`renewDeadline must be greater than ${jitterFactor} times retryPeriod`);
  }
  if (durations.leaseDuration < 1000) throw new Error("leaseDuration must be at least one second");
  return durations;
}
