/** The options of writes. */
export interface WriteOptions {
  dryRun: boolean;
  fieldManager: string;
  fieldValidation: "Ignore" | "Warn" | "Strict";
  /** Only for patches. */
  force?: boolean;
}

/** The conditions for an object to be written or deleted. */
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

/** The options of deletions. */
export interface DeleteOptions {
  dryRun: boolean;
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  /** Deletes an object that can't be read, and only such an object. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}
