/**
 * Denies an admission request (403) with a message, and warns at the same time. An `ApiError` as `cause` gives the verdict its
 * status.
 *
 * @example
 * throw new Denied("spec.players: at most 8 can play", { warnings: ["spec.mode is deprecated"] });
 */
export class Denied extends Error {
  override readonly name: string = "Denied";
  readonly warnings: readonly string[];

  constructor(message: string, options: ErrorOptions & { warnings?: readonly string[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.warnings = options.warnings ?? [];
  }
}
