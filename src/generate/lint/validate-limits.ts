import type { JSONSchema, JSONValue } from "../schema/json-schema.ts";

/** Returns whether a pattern matches a string; undefined if that isn't certain. */
export type Matches = (pattern: string, text: string) => boolean | undefined;

/** Returns one sentence for each limit of a schema that a value violates. */
export function limitProblems(value: Exclude<JSONValue, null>, schema: JSONSchema, matches: Matches): string[] {
  if (typeof value === "string") return textProblems(value, schema, matches);
  if (typeof value === "number" || typeof value === "bigint") return numberProblems(value, schema);
  if (Array.isArray(value)) return sizeProblems(value.length, schema.minItems, schema.maxItems, "elements");
  if (typeof value !== "object") return [];
  return sizeProblems(Object.keys(value).length, schema.minProperties, schema.maxProperties, "fields");
}

function textProblems(value: string, schema: JSONSchema, matches: Matches): string[] {
  const problems = sizeProblems([...value].length, schema.minLength, schema.maxLength, "characters");
  const { pattern } = schema;
  if (pattern !== undefined && matches(pattern, value) === false) {
    problems.push(`${JSON.stringify(value)} does not match ${pattern}`);
  }
  const format = formats[schema.format ?? ""];
  if (format && !format.test(value)) problems.push(`${JSON.stringify(value)} doesn't have the format ${schema.format}`);
  return problems;
}

/** The minimum requirements of a format; the API server's own parser may be stricter. */
const formats: Readonly<Record<string, RegExp>> = {
  "date-time": /^\d{4}-\d{2}-\d{2}/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  duration: /\d/,
  byte: /^[A-Za-z0-9+/=_\s-]*$/,
  ipv4: /^[\d.]+$/,
  ipv6: /:/,
};

function numberProblems(value: number | bigint, schema: JSONSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const problems: string[] = [];
  if (schema.type === "integer" && schema.format === "int32" && (value < -(2 ** 31) || value >= 2 ** 31)) {
    problems.push(`${value} doesn't have the format int32`);
  }
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum && Number(value) === minimum))) {
    problems.push(`${value} is not ${exclusiveMinimum ? "greater than" : "at least"} ${minimum}`);
  }
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum && Number(value) === maximum))) {
    problems.push(`${value} is not ${exclusiveMaximum ? "less than" : "at most"} ${maximum}`);
  }
  // Remainders of fractions depend on rounding, so only integers are checked.
  if (multipleOf !== undefined && Number.isInteger(multipleOf) && multipleOf > 0 && Number(value) % multipleOf !== 0) {
    problems.push(`${value} isn't a multiple of ${multipleOf}`);
  }
  return problems;
}

type Limit = number | bigint | undefined;

function sizeProblems(size: number, least: Limit, most: Limit, what: string): string[] {
  const problems: string[] = [];
  if (least !== undefined && size < least) problems.push(`it has ${size} ${what}, fewer than ${least}`);
  if (most !== undefined && size > most) problems.push(`it has ${size} ${what}, more than ${most}`);
  return problems;
}
