/**
 * Denies an admission request (403) with a message and warnings. If the `cause` is an `ApiError`, the response has its
 * status.
 *
 * @example
 * throw new Denied("spec.players: at most 8 can play", { warnings: ["spec.mode is deprecated"] });
 */
export class Denied extends Error {
  /** Always `Denied`. */
  override readonly name: string = "Denied";
  /** Warnings for the user. */
  readonly warnings: readonly string[];

  /**
   * Creates an error.
   *
   * @param message - the reason, which the user sees
   * @param options - warnings and the cause
   */
  constructor(message: string, options: ErrorOptions & { warnings?: readonly string[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.warnings = options.warnings ?? [];
  }
}
