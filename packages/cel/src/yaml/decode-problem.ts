/** A document can't be decoded. */
export class DecodeProblem extends Error {
  /** True for a value that YAML has, but JSON doesn't. */
  readonly isOfJson: boolean;

  /**
   * @param message - the message of Go's library
   * @param isOfJson - true for a value that JSON doesn't have
   */
  constructor(message: string, isOfJson = false) {
    super(message);
    this.isOfJson = isOfJson;
  }
}
