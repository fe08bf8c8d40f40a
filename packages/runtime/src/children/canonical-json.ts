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

/** Keys that objects have in numeric order, whatever their order of insertion. */
const numeric = /^\d+$/;
/** Stands for a value that native JSON can't print in canonical form. */
const irregular = Symbol("irregular");

/** Returns a value whose objects have sorted keys: the same one if it is sorted already. */
function sorted(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return irregular;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let result: unknown[] = value;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      const inner = sorted(item);
      if (inner === irregular) return irregular;
      if (inner === item) continue;
      if (result === value) result = [...value];
      result[index] = inner;
    }
    return result;
  }
  const record = value as Record<string, unknown>;
  if (typeof record.toJSON === "function") return irregular;
  const keys = Object.keys(record);
  let isSame = true;
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] as string) > (keys[index] as string)) isSame = false;
  if (!isSame) keys.sort();
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    if (numeric.test(key) || key === "__proto__") return irregular;
    const inner = sorted(record[key]);
    if (inner === irregular) return irregular;
    if (inner !== record[key]) isSame = false;
    result[key] = inner;
  }
  return isSame ? value : result;
}

/** Returns the text of {@link canonicalJson}, with the native function if the value permits it, because that is faster. */
function canonicalText(value: unknown): string {
  const regular = sorted(value);
  return regular === irregular ? canonicalJson(value) : (JSON.stringify(regular) ?? "null");
}

/** Returns the value of the annotation of a child's hash: a version, and 16 hex digits. */
export function hashOf(value: unknown): string {
  return `v1-${hash("sha256", canonicalText(value), "hex").slice(0, 16)}`;
}
