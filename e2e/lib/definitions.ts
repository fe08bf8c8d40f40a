import { parse } from "yaml";

/**
 * Returns a CRD without the parts that don't define the API: the generator's version, fields that a server sets, and line
 * breaks in descriptions, which differ between versions of controller-gen.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests read and compare fields of any CRD.
export function definition(yaml: string): any {
  const { status, metadata, ...rest } = parse(yaml);
  return unbroken({ ...rest, metadata: { name: metadata.name } });
}

/** Removes the descriptions from a value of a CRD, at any depth. */
// biome-ignore lint/suspicious/noExplicitAny: tests read and compare any schema.
export function withoutDescriptions(value: any): any {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  // A field may be called `description`; its value isn't a string.
  const kept = Object.entries(value).filter(([key, inner]) => key !== "description" || typeof inner !== "string");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutDescriptions(inner)]));
}

function unbroken(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unbroken);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "description" && typeof inner === "string" ? inner.replace(/\s+/g, " ") : unbroken(inner),
  ]);
  return Object.fromEntries(entries);
}
