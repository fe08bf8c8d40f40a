// Validates a value against a schema as the API server does, as far as a default or an example allows. If the result isn't
// certain (CEL rules, patterns that only Go compiles), the value passes.

import type { JSONSchema, JSONValue } from "../../schema/model/json-schema.ts";
import { limitProblems, type Matches } from "./validate-limits.ts";

export interface ValueProblem {
  /** The path in the value, such as `.a[0]`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/**
 * Returns the problems of a value. Unknown fields are problems unless `unknownFields` allows them.
 *
 * @param matches evaluates patterns; without it, every string matches
 */
export function valueProblems(
  value: JSONValue,
  schema: JSONSchema,
  unknownFields: "wrong" | "fine",
  matches: Matches = () => undefined,
): ValueProblem[] {
  const problems: ValueProblem[] = [];
  const add = (path: string, message: string) => void problems.push({ path, message });
  check(value, schema, "", unknownFields === "wrong", Object.assign(add, { matches }));
  return problems;
}

type Report = ((path: string, message: string) => void) & { readonly matches: Matches };

function check(value: JSONValue, schema: JSONSchema, path: string, closed: boolean, report: Report): void {
  if (value === null) {
    if (!schema.nullable && schema.type !== undefined) report(path, "null is not allowed without `+nullable`");
    return;
  }
  if (!checkType(value, schema, path, report)) return;
  if (schema.enum && !schema.enum.some((each) => same(each, value))) {
    report(path, `${shown(value)} must be one of ${schema.enum.map(shown).join(", ")}`);
  }
  for (const problem of limitProblems(value, schema, report.matches)) report(path, problem);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (schema.items) check(item, schema.items, `${path}[${index}]`, closed, report);
    }
  } else if (typeof value === "object") {
    checkObject(value as Record<string, JSONValue>, schema, path, closed, report);
  }
  checkBranches(value, schema, path, report);
}

function checkType(value: Exclude<JSONValue, null>, schema: JSONSchema, path: string, report: Report): boolean {
  const actual = typeOf(value);
  if (schema["x-kubernetes-int-or-string"]) {
    if (actual === "integer" || actual === "string") return true;
    report(path, `expected integer or string, found ${actual} ${shown(value)}`);
    return false;
  }
  if (schema.type === undefined || schema.type === actual) return true;
  if (schema.type === "number" && actual === "integer") return true;
  report(path, `expected ${schema.type}, found ${actual} ${shown(value)}`);
  return false;
}

function checkObject(
  value: Readonly<Record<string, JSONValue>>,
  schema: JSONSchema,
  path: string,
  closed: boolean,
  report: Report,
): void {
  const { properties = {}, additionalProperties, required = [] } = schema;
  for (const name of required) {
    // The API server applies defaults from the outside in, so a missing field may still get its value.
    if (Object.hasOwn(value, name) || properties[name]?.default !== undefined) continue;
    report(path, `the required field ${shown(name)} is missing`);
  }
  const open =
    !closed ||
    schema["x-kubernetes-preserve-unknown-fields"] ||
    schema["x-kubernetes-embedded-resource"] ||
    !schema.type;
  for (const [name, item] of Object.entries(value)) {
    const below = `${path}.${name}`;
    // The API server completes the schema of an embedded object's metadata.
    const known = name === "metadata" && schema["x-kubernetes-embedded-resource"] === true;
    if (Object.hasOwn(properties, name)) check(item, properties[name]!, below, closed && !known, report);
    else if (typeof additionalProperties === "object") check(item, additionalProperties, below, closed, report);
    else if (additionalProperties === undefined && !open) report(path, `unknown field ${shown(name)}`);
  }
}

function checkBranches(value: JSONValue, schema: JSONSchema, path: string, report: Report): void {
  const fits = (branch: JSONSchema) => valueProblems(value, branch, "fine", report.matches).length === 0;
  for (const branch of schema.allOf ?? []) check(value, branch, path, false, report);
  if (schema.anyOf && !schema.anyOf.some(fits)) report(path, `${shown(value)} matches none of the alternatives`);
  if (schema.oneOf) {
    const count = schema.oneOf.filter(fits).length;
    if (count !== 1) report(path, `${shown(value)} matches ${count} of the alternatives instead of exactly one`);
  }
  if (schema.not && fits(schema.not)) report(path, `${shown(value)} isn't allowed`);
}

function typeOf(value: Exclude<JSONValue, null>): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function same(a: JSONValue, b: JSONValue): boolean {
  if ((typeof a === "number" || typeof a === "bigint") && (typeof b === "number" || typeof b === "bigint")) {
    return Number(a) === Number(b);
  }
  return shown(a) === shown(b);
}

/** Formats a value as JSON, for messages. */
export function shown(value: JSONValue): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? Number(part) : part));
}
