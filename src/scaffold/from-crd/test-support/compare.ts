// Compares an imported definition with the generated one.
// biome-ignore-all lint/suspicious/noExplicitAny: documents of unknown shape are walked here.
import { withoutRepeats } from "../contradiction.ts";

/** A difference of two definitions. */
export interface Difference {
  /** The beginning of the note about it: `v1: .spec.a`, or `spec.names.listKind` outside of schemas. */
  readonly place: string;
  /** The keyword of the schema that differs; undefined outside of schemas. */
  readonly keyword?: string;
  /** The difference, as `place keyword: before → after`. */
  readonly text: string;
}

/**
 * Returns a definition without the parts that types don't determine: the annotation with the tool's version, status, default
 * values, and the schemas of apiVersion, kind and metadata, which are the same for all kinds.
 */
export function comparable(crd: unknown): unknown {
  const copy = structuredClone(crd) as any;
  if (copy?.spec === undefined) return copy;
  delete copy.apiVersion;
  delete copy.kind;
  delete copy.status;
  if (copy.spec.preserveUnknownFields === false) delete copy.spec.preserveUnknownFields;
  if (copy.spec.conversion?.strategy !== "Webhook") delete copy.spec.conversion;
  delete copy.metadata.annotations?.["controller-gen.kubebuilder.io/version"];
  delete copy.metadata.annotations?.["kubectl.kubernetes.io/last-applied-configuration"];
  for (const key of ["annotations", "labels"] as const)
    if (Object.keys(copy.metadata[key] ?? {}).length === 0) delete copy.metadata[key];
  delete copy.metadata.creationTimestamp;
  const { names } = copy.spec;
  names.listKind ||= `${names.kind}List`;
  names.singular ||= names.kind.toLowerCase();
  for (const key of ["shortNames", "categories"]) if (names[key]?.length === 0) delete names[key];
  copy.spec.versions = Object.fromEntries(copy.spec.versions.map((version: any) => [version.name, version]));
  for (const version of Object.values<any>(copy.spec.versions)) {
    delete version.name;
    if (Object.keys(version.subresources ?? {}).length === 0) delete version.subresources;
    if (version.deprecated === false) delete version.deprecated;
    if (version.additionalPrinterColumns?.length === 0) delete version.additionalPrinterColumns;
    if (version.selectableFields?.length === 0) delete version.selectableFields;
    for (const column of version.additionalPrinterColumns ?? []) {
      if (column.priority === 0) delete column.priority;
      for (const key of ["description", "format"]) if (column[key] === "") delete column[key];
    }
    const schema = version.schema?.openAPIV3Schema;
    if (schema === undefined) continue;
    for (const name of ["apiVersion", "kind", "metadata"]) delete schema.properties?.[name];
    plain(schema);
  }
  return copy;
}

/** Sorts lists without a defined order, and removes keys with their default values. */
function plain(schema: any): void {
  const once = withoutRepeats(schema);
  if (once !== schema) {
    Object.assign(schema, once);
    delete schema.allOf;
  }
  if (schema.required !== undefined) schema.required = [...schema.required].sort();
  if (schema.required?.length === 0) delete schema.required;
  for (const [key, value] of Object.entries<any>(schema)) {
    if (value === null || (value === false && key !== "default" && key !== "example")) delete schema[key];
    if (value === "" && key !== "default" && key !== "example") delete schema[key];
    if (["x-kubernetes-validations", "allOf", "anyOf", "oneOf", "enum"].includes(key) && value?.length === 0)
      delete schema[key];
  }
  if (typeof schema.description === "string") {
    schema.description = schema.description.replace(/[ \t\r]+$/gm, "").trimEnd();
    if (schema.description === "") delete schema.description;
  }
  if (schema.properties !== undefined && Object.keys(schema.properties).length === 0) delete schema.properties;
  for (const property of Object.values(schema.properties ?? {})) plain(property);
  if (schema.items !== undefined) plain(schema.items);
  if (typeof schema.additionalProperties === "object") plain(schema.additionalProperties);
}

/** Returns all differences between two comparable definitions. */
export function differences(before: any, after: any): Difference[] {
  const schemas = Object.keys({ ...before.spec?.versions, ...after?.spec?.versions }).flatMap((version) => {
    const [was, is] = [before, after].map((each) => each?.spec?.versions[version]?.schema?.openAPIV3Schema);
    return schemaDifferences(was ?? {}, is ?? {}, `${version}: `);
  });
  const [rest, others] = [before, after].map((each) => {
    const copy = structuredClone(each ?? {});
    for (const version of Object.values<any>(copy.spec?.versions ?? {})) delete version.schema;
    return copy;
  });
  return [...outside(rest, others, ""), ...schemas];
}

function outside(before: any, after: any, place: string): Difference[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => outside(before[key], after[key], place === "" ? key : `${place}.${key}`));
  }
  return same(before, after) ? [] : [{ place, text: change(place, before, after) }];
}

function schemaDifferences(before: any, after: any, place: string): Difference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    if (key === "properties" && isObject(was) && isObject(is)) {
      const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
      return names.flatMap((name) => {
        const at = `${place}.${name}`;
        const [a, b] = [was[name], is[name]];
        if (a !== undefined && b !== undefined) return schemaDifferences(a, b, at);
        return [{ place: at, keyword: "properties", text: change(at, a, b) }];
      });
    }
    if (key === "items" && isObject(was) && isObject(is)) return schemaDifferences(was, is, `${place}[]`);
    if (key === "additionalProperties" && isObject(was) && isObject(is)) {
      return schemaDifferences(was, is, `${place}.*`);
    }
    return same(was, is) ? [] : [{ place, keyword: key, text: change(`${place} ${key}`, was, is) }];
  });
}

function change(place: string, before: unknown, after: unknown): string {
  const [was, is] = [before, after].map((each) => (json(each) ?? "nothing").slice(0, 120));
  return `${place}: ${was} → ${is}`;
}

/** Whether one of the notes lists a difference: it has the same place, and the keyword. */
export function isListed({ place, keyword }: Difference, notes: readonly string[]): boolean {
  if (keyword === undefined) {
    return notes.some((note) => note.startsWith(`${place} `) || place.startsWith(`${note.split(" ", 1)[0]}.`));
  }
  const required = keyword === "required";
  return notes.some((note) => {
    const about = `${place.endsWith(": ") ? `${place}.` : place} `;
    if (note === `${about}has no type` || note === `${about}has no schema`) return true;
    if (note.startsWith(about))
      return note
        .slice(about.length)
        .split(/[\s,]+/)
        .includes(keyword);
    return required && note.startsWith(place) && note.endsWith(" is required and not described");
  });
}

function same(before: unknown, after: unknown): boolean {
  return json(before) === json(after);
}

function json(value: unknown): string | undefined {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === "bigint") return String(each);
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isObject(value: unknown): value is Record<string, any> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
