/** From when and for how long a certificate is good. */
export interface Validity {
  /** Milliseconds. */
  validFor: number;
  /** Now by default. */
  now?: Date;
}

/** Time in milliseconds by which certificates are backdated, so that clocks that are slightly slow accept them. */
export const backdated = 3_600_000;
