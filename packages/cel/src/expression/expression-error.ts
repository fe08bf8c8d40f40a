/** An expression that isn't valid, or whose evaluation failed. */
export class ExpressionError extends Error {
  /** @param message - the text of kube-apiserver */
  constructor(message: string) {
    super(message);
    this.name = "ExpressionError";
  }
}
