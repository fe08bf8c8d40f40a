/** A mistake in the options of an upgrade, which the command reports with a hint. */
export class UsageProblem extends Error {
  /** Always `UsageProblem`. */
  override readonly name: string = "UsageProblem";
  /** The hint for the user. */
  readonly hint: string | undefined;

  /**
   * @param message - the mistake
   * @param hint - what to do
   */
  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
