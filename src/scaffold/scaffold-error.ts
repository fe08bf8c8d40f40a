/** Why the tree can't be changed as asked. The command line turns it into its message and exit code. */
export class ScaffoldError extends Error {
  /** Stable, such as `missing-anchor`. */
  readonly id: string;
  readonly hint?: string;

  constructor(id: string, message: string, hint?: string) {
    super(message);
    this.name = "ScaffoldError";
    this.id = id;
    this.hint = hint;
  }
}
