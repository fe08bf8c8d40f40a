/** What the system refused, and where. The message names the file that was meant, not the place where it was prepared. */
export class WriteError extends Error {
  /** Absolute. */
  readonly path: string;
  /** What couldn't be done: "write". */
  readonly what: string;
  /** The system's word, such as `EACCES`. */
  readonly code: string;

  constructor(path: string, what: string, code: string) {
    super(`can't ${what} ${path} (${code})`);
    this.name = "WriteError";
    this.path = path;
    this.what = what;
    this.code = code;
  }
}

/** Does something; what the system refuses becomes a `WriteError`. */
export function attempt<Result>(path: string, what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new WriteError(path, what, code);
  }
}
