const LABEL_NAME = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/;
const LABEL_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Returns the `labelSelector` of a request: equality per label, or an unchanged selector in kubectl's syntax. Throws a
 * `TypeError` for labels that no object can have, because servers would return an empty list or misinterpret them.
 */
export function labelSelector(labels: Readonly<Record<string, string>> | string | undefined): string | undefined {
  if (labels === undefined || typeof labels === "string") return labels || undefined;
  const terms = checkedLabels(labels).map(([key, value]) => `${key}=${value}`);
  return terms.length > 0 ? terms.sort().join(",") : undefined;
}

/**
 * Returns the label requirements as pairs. Throws a `TypeError` for labels that no object can have, such as a value that is
 * `undefined`.
 */
export function checkedLabels(labels: Readonly<Record<string, string>>): [string, string][] {
  const pairs = Object.entries(labels);
  for (const [key, value] of pairs) {
    if (!isLabelKey(key)) throw new TypeError(`${JSON.stringify(key)} isn't a valid label key`);
    if (!isLabelValue(value)) throw new TypeError(`${JSON.stringify(value)} isn't a valid value of the label ${key}`);
  }
  return pairs;
}

/** Checks whether a string is a valid label key. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (slash !== -1 && (slash > 253 || !LABEL_PREFIX.test(key.slice(0, slash)))) return false;
  return name.length <= 63 && LABEL_NAME.test(name);
}

/** Checks whether a value is a valid label value. */
export function isLabelValue(value: unknown): boolean {
  return typeof value === "string" && value.length <= 63 && (value === "" || LABEL_NAME.test(value));
}

/** Returns the path of a field in the server's format. `.spec.nodeName` and `spec.nodeName` are equivalent. */
export function fieldPath(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}

/**
 * Returns the `fieldSelector` of a request: equality per field, or an unchanged selector in kubectl's syntax. Values are
 * escaped, so they can contain any character. Throws a `TypeError` for invalid paths.
 */
export function fieldSelector(fields: Readonly<Record<string, string>> | string | undefined): string | undefined {
  if (fields === undefined || typeof fields === "string") return fields || undefined;
  const terms = Object.keys(fields)
    .sort()
    .map((key) => {
      const path = fieldPath(key);
      if (path === "" || /[,=!\\\s]/.test(path)) throw new TypeError(`${JSON.stringify(key)} isn't a valid field path`);
      return `${path}=${String(fields[key]).replaceAll(/[\\,=]/g, "\\$&")}`;
    });
  return terms.length > 0 ? terms.join(",") : undefined;
}
