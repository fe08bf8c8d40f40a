/** Whether a JSON or YAML value is a map. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a map, otherwise an empty one. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}
