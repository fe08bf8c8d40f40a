/** A failure that is told in one line, without a stack. */
export class Problem extends Error {
  override readonly name: string = "Problem";
  /** 1: the work failed; 2: wrong usage. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The innermost reason of a failed request, such as `getaddrinfo ENOTFOUND example.com`. */
export function reason(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  if (current instanceof AggregateError && current.errors[0] instanceof Error) return current.errors[0].message;
  return current instanceof Error ? current.message : String(current);
}
