/** The result of one check of `scaffold doctor`. */
export interface Check {
  /** Stable, such as `kubectl`. */
  readonly id: string;
  /** `missing` is an error, and `doctor` exits with 1. `notice` is a warning about an optional or upcoming problem. */
  readonly status: "ok" | "notice" | "missing";
  /** One line that begins with the subject of the check. */
  readonly message: string;
  /** How to fix the problem. */
  readonly hint?: string;
  /** The project file with the problem, if there is one. */
  readonly file?: string;
}
