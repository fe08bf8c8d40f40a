/** The validity of a certificate. */
export interface Validity {
  /** Duration in milliseconds. */
  validFor: number;
  /** Start of the validity; now by default. */
  now?: Date;
  /**
   * Duration in milliseconds before `now` in which it is valid already.
   *
   * @defaultValue {@link backdated}
   */
  validBefore?: number;
}

/** Time in milliseconds by which certificates are backdated, so that clocks that are slightly slow accept them. */
export const backdated = 3_600_000;
