import type { Logger } from "../../log/logger.ts";

/** Returns a logger that also reports the marker of each missing permission. */
export function permissionLogger(inner: Logger, missing: (marker: string) => void): Logger {
  return {
    debug: (message, fields) => inner.debug(message, fields),
    info: (message, fields) => inner.info(message, fields),
    warn: (message, fields) => inner.warn(message, fields),
    error(error, message, fields) {
      if (message.startsWith("Missing permission") && typeof fields?.marker === "string") missing(fields.marker);
      inner.error(error, message, fields);
    },
    with: (fields) => permissionLogger(inner.with(fields), missing),
  };
}
