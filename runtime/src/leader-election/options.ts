/** Durations are milliseconds. */
export interface LeaseOptions {
  /** How long others wait after the last renewal before they take over; 15,000 by default. */
  leaseDuration?: number;
  /** How long the leader tries to renew before it gives up; 10,000 by default. */
  renewDeadline?: number;
  /** Time between attempts; 2,000 by default. */
  retryPeriod?: number;
}

/** The durations with all defaults in place. */
export type LeaseDurations = Required<LeaseOptions>;

/** How much longer than the retry period an attempt may be put off, so that candidates don't come at once. */
export const jitterFactor = 1.2;

/** Fills in the defaults. Throws an `Error` where a leader could be overtaken before it notices. */
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
