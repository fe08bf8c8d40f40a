/** Fields of a log line, beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes structured logs: a constant message, and variable data in fields.
 *
 * @example
 * ctx.log.info("Created the Deployment", { deployment: name });
 */
export interface Logger {
  /**
   * Writes a line for debugging.
   *
   * @param message - a constant text
   * @param fields - variable data
   */
  debug(message: string, fields?: LogFields): void;
  /**
   * Writes a line about an action of the operator.
   *
   * @param message - a constant text
   * @param fields - variable data
   */
  info(message: string, fields?: LogFields): void;
  /**
   * Writes a line about something unexpected that isn't an error.
   *
   * @param message - a constant text
   * @param fields - variable data
   */
  warn(message: string, fields?: LogFields): void;
  /**
   * Writes a line about a failure.
   *
   * @param error - any thrown value, or `undefined`
   * @param message - a constant text
   * @param fields - variable data
   */
  error(error: unknown, message: string, fields?: LogFields): void;
  /**
   * Returns a logger that adds fields to all its lines.
   *
   * @param fields - the fields
   * @returns the logger
   */
  with(fields: LogFields): Logger;
}

/** Discards all lines. */
export const silentLogger: Logger = Object.freeze({
  debug(): void {},
  info(): void {},
  warn(): void {},
  error(): void {},
  with(): Logger {
    return silentLogger;
  },
});
