/** The text of a file in the baseline, and the path for messages. */
export interface BaselineFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** Thrown if the baseline can't be read; the message has one line. */
export class BaselineError extends Error {}
