/** The message of whatever was thrown, with those of its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : valueText(error);
  const message = error.message === "" ? error.name : error.message;
  // One must see in a log that nobody tries again, whatever the message says.
  const text = error.name === "TerminalError" ? `terminal error: ${message}` : message;
  const cause = error.cause === undefined ? "" : errorText(error.cause);
  return cause === "" || text.includes(cause) ? text : `${text}: ${cause}`;
}

function valueText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Circles and bigints have no JSON, and still somebody has thrown them.
    return typeof value === "object" ? Object.prototype.toString.call(value) : String(value);
  }
}
