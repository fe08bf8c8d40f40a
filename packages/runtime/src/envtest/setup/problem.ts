/** An error that is printed as one line, without a stack. */
export class Problem extends Error {
  override readonly name: string = "Problem";
  /** 1 for a failure, 2 for invalid usage. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the innermost cause of a failed request, such as `getaddrinfo ENOTFOUND example.com`. */
export function reason(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  if (current instanceof AggregateError && current.errors[0] instanceof Error) return current.errors[0].message;
  return current instanceof Error ? current.message : String(current);
}
