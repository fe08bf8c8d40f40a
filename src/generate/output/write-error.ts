/** A failed file operation. The message contains the path of the intended file, not of the temporary one. */
export class WriteError extends Error {
  /** Absolute path. */
  readonly path: string;
  /** The failed operation, such as "write". */
  readonly what: string;
  /** The system's error code, such as `EACCES`. */
  readonly code: string;

  constructor(path: string, what: string, code: string) {
    super(`can't ${what} ${path} (${code})`);
    this.name = "WriteError";
    this.path = path;
    this.what = what;
    this.code = code;
  }
}

/** Runs a file operation and converts system errors to a `WriteError`. */
export function attempt<Result>(path: string, what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new WriteError(path, what, code);
  }
}
