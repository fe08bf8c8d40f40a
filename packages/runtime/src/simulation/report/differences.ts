import { redactField } from "../../log/redact.ts";
import { redactedText } from "../../log/redact-text.ts";

const unimportant = new Set(["managedFields", "resourceVersion", "creationTimestamp", "generation", "uid"]);
const longestText = 60;
const mostDifferences = 8;

/**
 * Describes how an object differs from its former state, field by field, without credentials.
 *
 * @param before - the old state; undefined if there was none
 * @param after - the new state; undefined if there is none
 * @param kind - the kind of the object, if its values must be hidden
 * @returns one text per field, such as `spec.replicas: 1 → 3`
 */
export function differences(before: unknown, after: unknown, kind = ""): string[] {
  const described = changes(before, after).map((change) => describeChange(change, kind));
  if (described.length <= mostDifferences) return described;
  return [...described.slice(0, mostDifferences), `and ${described.length - mostDifferences} more`];
}

/** A field that differs. */
export interface FieldChange {
  path: string;
  /** The path of the object or list with the field. */
  parent: string;
  before: unknown;
  after: unknown;
}

/**
 * Describes the change of a field, such as `spec.replicas: 1 → 3`, without credentials.
 *
 * @param change - the change
 * @param kind - the kind of the object
 */
export function describeChange({ path, before, after }: FieldChange, kind: string): string {
  return `${path}: ${describeValue(kind, path, before)} → ${describeValue(kind, path, after)}`;
}

/** Describes the value of a field in few characters, without credentials. */
export function describeValue(kind: string, path: string, value: unknown): string {
  if (value === undefined) return "none";
  if (kind === "Secret" && /^(data|stringData)(\.|$)/.test(path)) return withoutValues(value);
  return shortened(redactField(path.slice(path.lastIndexOf(".") + 1), value));
}

function withoutValues(value: unknown): string {
  if (!isObject(value)) return redactedText;
  return shortened(Object.fromEntries(Object.keys(value).map((name) => [name, redactedText])));
}

/** Finds the fields that differ between two values. */
export function changes(before: unknown, after: unknown): FieldChange[] {
  const list: FieldChange[] = [];
  compare("", "", before ?? {}, after ?? {}, list);
  return list;
}

function compare(path: string, parent: string, before: unknown, after: unknown, list: FieldChange[]): void {
  if (Object.is(before, after)) return;
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (path === "metadata" && unimportant.has(key)) continue;
      if (path === "" && (key === "kind" || key === "apiVersion")) continue;
      const inner = Array.isArray(before) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      const [old, other] = [(before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key]];
      compare(inner, path, old, other, list);
    }
    return;
  }
  list.push({ path, parent, before, after });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Describes a value in few characters. */
export function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}
