/** Whether a value of JSON or YAML is a map of keys. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The map that a value is, or an empty one. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}
