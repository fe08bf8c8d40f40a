/** One thing that the doctor looked at. */
export interface Check {
  /** Stable, such as `kubectl`. */
  readonly id: string;
  /** `missing` makes the doctor fail; `notice` is what some work needs, or what is about to go wrong. */
  readonly status: "ok" | "notice" | "missing";
  /** One line that begins with what was looked at. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The project's file that it is about, where it is about one. */
  readonly file?: string;
}
