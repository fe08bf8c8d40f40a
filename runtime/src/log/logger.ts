/** Values that a log line carries beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured logging: a constant message, and what varies in fields.
 *
 * @example
 * ctx.log.info("Created the Deployment", { deployment: name });
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
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
