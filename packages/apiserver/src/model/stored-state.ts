/** The stored state of one object. Entries are never changed: a write replaces them. */
export interface Entry {
  readonly key: string;
  /** The revision of the last write. */
  readonly revision: number;
  /** The object as JSON, in the version in which it is stored. */
  readonly text: string;
  /** True if the text lacks defaults of its version, which readers add. */
  readonly incomplete?: boolean;
}

/** A write of one object. */
export interface Change {
  readonly revision: number;
  /** Milliseconds of a clock that never goes back. */
  readonly time: number;
  readonly key: string;
  /** The new state. For a deletion, the last state with the revision of the deletion. */
  readonly entry: Entry;
  readonly deleted: boolean;
  readonly previous: Entry | undefined;
}
