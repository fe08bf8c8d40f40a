import { hash } from "node:crypto";

/** Returns the JSON of a value with sorted keys, without `undefined` fields. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    let text = "[";
    for (let index = 0; index < value.length; index++) text += (index > 0 ? "," : "") + canonicalJson(value[index]);
    return `${text}]`;
  }
  const record = value as Record<string, unknown>;
  let text = "{";
  for (const key of Object.keys(record).sort()) {
    const field = record[key];
    if (field === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `${text}}`;
}

/** Returns the value of the annotation of a child's hash: a version, and 16 hex digits. */
export function hashOf(value: unknown): string {
  return `v1-${hash("sha256", canonicalJson(value), "hex").slice(0, 16)}`;
}
