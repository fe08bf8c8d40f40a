import { allLimits, limitMarker } from "../../kubernetes/limits.ts";
import { isImmutableRule } from "../markers/index.ts";
import type { JSONSchema, JSONValue } from "../schema/model/json-schema.ts";
import type { ValidationEntry } from "./model.ts";

/** Formats a value as JSON on one line. Integers beyond 2^53 keep their digits. */
export function compactJson(value: JSONValue): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(compactJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${compactJson(item)}`)
    .join(",")}}`;
}

/** Formats a value as a reader would write it in YAML: texts without quotes. */
export function plainValue(value: JSONValue): string {
  return typeof value === "string" && value !== "" ? value : compactJson(value);
}

/** Returns the rules for the values of a schema, without those of its properties and references. */
export function validationOf(schema: JSONSchema, isRequired = false): ValidationEntry[] {
  return [...(isRequired ? [{ label: "Required" }] : []), ...entriesOf(schema)];
}

function entriesOf(schema: JSONSchema): ValidationEntry[] {
  const { items, additionalProperties } = schema;
  const isMap = typeof additionalProperties === "object";
  return [
    ...limitsOf(schema),
    ...keywordsOf(schema),
    ...listsOf(schema),
    ...rulesOf(schema),
    ...(items === undefined ? [] : inner("items", items)),
    ...(isMap ? inner("values", additionalProperties) : []),
  ];
}

/** Returns the rules for the items of a list or the values of a map, with a prefix as in markers. */
function inner(prefix: string, schema: JSONSchema): ValidationEntry[] {
  return entriesOf(schema).map((entry) => ({ ...entry, label: `${prefix}:${entry.label}` }));
}

function limitsOf(schema: JSONSchema): ValidationEntry[] {
  return allLimits.flatMap(([keyword, { excludes }]): ValidationEntry[] => {
    const value = schema[keyword];
    if (value === undefined || value === false || excludes !== undefined) return [];
    const isExclusive = allLimits.some(([other, limit]) => limit.excludes === keyword && schema[other] === true);
    const text = isExclusive ? { text: "exclusive" } : {};
    return [{ label: limitMarker(keyword), ...(value === true ? {} : { code: String(value) }), ...text }];
  });
}

function keywordsOf(schema: JSONSchema): ValidationEntry[] {
  const { pattern, format, nullable } = schema;
  const isInteger = schema.type === "integer" && format !== undefined;
  const entries: (ValidationEntry | undefined)[] = [
    pattern === undefined ? undefined : { label: "Pattern", code: pattern },
    format === undefined || isInteger ? undefined : { label: "Format", code: format },
    schema.enum === undefined ? undefined : { label: "Enum", code: schema.enum.map(plainValue).join(", ") },
    nullable === true ? { label: "Nullable" } : undefined,
    schema["x-kubernetes-embedded-resource"] === true ? { label: "EmbeddedResource" } : undefined,
    schema["x-kubernetes-preserve-unknown-fields"] === true && schema.type !== undefined
      ? { label: "Unknown fields are kept" }
      : undefined,
  ];
  return entries.filter((entry) => entry !== undefined);
}

function listsOf(schema: JSONSchema): ValidationEntry[] {
  const { "x-kubernetes-list-type": list, "x-kubernetes-list-map-keys": keys, "x-kubernetes-map-type": map } = schema;
  return [
    ...(list === undefined ? [] : [{ label: "ListType", code: list }]),
    ...(keys === undefined ? [] : [{ label: "ListMapKey", code: keys.join(", ") }]),
    ...(map === undefined ? [] : [{ label: "MapType", code: map }]),
  ];
}

function rulesOf(schema: JSONSchema): ValidationEntry[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  return [
    ...rules.map((rule): ValidationEntry => {
      if (isImmutableRule(rule) || rule.rule.trim() === "self == oldSelf") {
        return { label: "Immutable", ...(isImmutableRule(rule) || !rule.message ? {} : { text: rule.message }) };
      }
      const text = rule.message ?? rule.messageExpression;
      return { label: "Rule", code: rule.rule, ...(text === undefined ? {} : { text }) };
    }),
    ...choicesOf(schema),
  ];
}

/** Returns the combinations of other schemas. */
function choicesOf(schema: JSONSchema): ValidationEntry[] {
  const entries: ValidationEntry[] = [];
  for (const key of ["allOf", "anyOf", "oneOf"] as const) {
    const choices = (schema[key] ?? []).filter(({ $ref }) => $ref === undefined);
    const isShape = key === "allOf" || schema["x-kubernetes-int-or-string"] === true;
    if (choices.length === 0 || isShape) continue;
    const label = limitMarker(key);
    const sets = choices.map(({ required, ...rest }) => (Object.keys(rest).length === 0 ? required : undefined));
    const isRequiredOnly = sets.every((set) => set !== undefined);
    const code = isRequiredOnly
      ? sets.map((set) => set.join(" + ")).join(", ")
      : compactJson(choices as unknown as JSONValue);
    entries.push({ label, code });
  }
  if (schema.not !== undefined) entries.push({ label: "Not", code: compactJson(schema.not as unknown as JSONValue) });
  return entries;
}
