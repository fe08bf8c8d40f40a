/** An error with the status of the answer. */
export class RequestError extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.hint = hint;
  }
}
