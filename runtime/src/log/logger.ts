/** Values that a log line carries beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured logging: a constant message, and what varies in fields.
 *
 * @example
 * ctx.log.info("Created the Deployment", { deployment: name });
 */
export interface Logger {
  /** What only those who look for a fault want to read. */
  debug(message: string, fields?: LogFields): void;
  /** What an operator did. */
  info(message: string, fields?: LogFields): void;
  /** What went another way than it should, and is no error. */
  warn(message: string, fields?: LogFields): void;
  /** What failed; `error` may be any value that was thrown, or `undefined`. */
  error(error: unknown, message: string, fields?: LogFields): void;
  /** A logger whose lines all carry these fields too. */
  with(fields: LogFields): Logger;
}

/** A logger that says nothing. */
export const silentLogger: Logger = Object.freeze({
  debug(): void {},
  info(): void {},
  warn(): void {},
  error(): void {},
  with(): Logger {
    return silentLogger;
  },
});
