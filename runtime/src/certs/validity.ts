/** From when and for how long a certificate is good. */
export interface Validity {
  /** Milliseconds. */
  validFor: number;
  /** Now by default. */
  now?: Date;
}

/** By how long certificates are good before they are made, in milliseconds: a clock that is a little behind must not refuse them. */
export const backdated = 3_600_000;
