/** The message of whatever was thrown, with those of its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : (JSON.stringify(error) ?? String(error));
  const text = error.message === "" ? error.name : error.message;
  const cause = error.cause === undefined ? "" : errorText(error.cause);
  return cause === "" || text.includes(cause) ? text : `${text}: ${cause}`;
}
