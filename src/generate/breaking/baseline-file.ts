/** A text of before, and the path that messages name it by. */
export interface BaselineFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Why there is nothing to compare with, in a line. */
export class BaselineError extends Error {}
