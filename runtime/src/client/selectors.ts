const LABEL_NAME = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/;
const LABEL_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * The `labelSelector` of a request: equality per label, or a selector in kubectl's syntax as it stands.
 * Throws a `TypeError` for labels that no object can have: a server would answer with an empty list or misread them.
 */
export function labelSelector(labels: Readonly<Record<string, string>> | string | undefined): string | undefined {
  if (labels === undefined || typeof labels === "string") return labels || undefined;
  const terms = checkedLabels(labels).map(([key, value]) => `${key}=${value}`);
  return terms.length > 0 ? terms.sort().join(",") : undefined;
}

/** Labels that are asked for. Throws a `TypeError` for those that no object can have, such as a value that is `undefined`. */
export function checkedLabels(labels: Readonly<Record<string, string>>): [string, string][] {
  const pairs = Object.entries(labels);
  for (const [key, value] of pairs) {
    if (!isLabelKey(key)) throw new TypeError(`${JSON.stringify(key)} isn't a valid label key`);
    if (!isLabelValue(value)) throw new TypeError(`${JSON.stringify(value)} isn't a valid value of the label ${key}`);
  }
  return pairs;
}

/** Whether an object can have a label of this key. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (slash !== -1 && (slash > 253 || !LABEL_PREFIX.test(key.slice(0, slash)))) return false;
  return name.length <= 63 && LABEL_NAME.test(name);
}

/** Whether a label can have this value. */
export function isLabelValue(value: unknown): boolean {
  return typeof value === "string" && value.length <= 63 && (value === "" || LABEL_NAME.test(value));
}

/** The path of a field as servers want it: `.spec.nodeName` and `spec.nodeName` are one. */
export function fieldPath(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}

/**
 * The `fieldSelector` of a request: equality per field, or a selector in kubectl's syntax as it stands. Values are escaped, so
 * they may hold anything. Throws a `TypeError` for paths that no field can have.
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
