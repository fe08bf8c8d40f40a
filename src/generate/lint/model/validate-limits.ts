import { stringFormat, supportedFormat } from "@kubewright/cel/schema";
import { allLimits } from "../../../kubernetes/limits.ts";
import type { JSONSchema, JSONValue } from "../../schema/model/json-schema.ts";

/** Returns whether a pattern matches a string; undefined if that isn't certain. */
export type Matches = (pattern: string, text: string) => boolean | undefined;

/** Returns one sentence for each limit of a schema that a value violates. */
export function limitProblems(value: Exclude<JSONValue, null>, schema: JSONSchema, matches: Matches): string[] {
  if (typeof value === "string") return textProblems(value, schema, matches);
  if (typeof value === "number" || typeof value === "bigint") return numberProblems(value, schema);
  if (Array.isArray(value)) return sizeProblems("array", value.length, schema);
  return typeof value === "object" ? sizeProblems("object", Object.keys(value).length, schema) : [];
}

function textProblems(value: string, schema: JSONSchema, matches: Matches): string[] {
  const problems = sizeProblems("string", [...value].length, schema);
  const { pattern } = schema;
  if (pattern !== undefined && matches(pattern, value) === false) {
    problems.push(`${JSON.stringify(value)} does not match ${pattern}`);
  }
  const format = supportedFormat(schema.type ?? "", schema.format ?? "");
  if (stringFormat(format)?.(value) === false) {
    problems.push(`${JSON.stringify(value)} doesn't have the format ${format}`);
  }
  return problems;
}

function numberProblems(value: number | bigint, schema: JSONSchema): string[] {
  const problems: string[] = [];
  if (schema.type === "integer" && schema.format === "int32" && (value < -(2 ** 31) || value >= 2 ** 31)) {
    problems.push(`${value} doesn't have the format int32`);
  }
  for (const [keyword, { on, bound, violation }] of allLimits) {
    const limit = schema[keyword];
    if (on !== "number" || typeof limit === "boolean" || limit === undefined) continue;
    const problem = bound ? outOfBound(value, bound, limit, schema) : violation?.(value, Number(limit));
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

function outOfBound(
  value: number | bigint,
  bound: "least" | "most",
  limit: number | bigint,
  { exclusiveMinimum, exclusiveMaximum }: JSONSchema,
): string | undefined {
  const isLower = bound === "least";
  const isExclusive = isLower ? exclusiveMinimum : exclusiveMaximum;
  const isOutside = isLower ? value < limit : value > limit;
  if (!isOutside && !(isExclusive && Number(value) === Number(limit))) return undefined;
  const words = isExclusive ? (isLower ? "greater than" : "less than") : `at ${bound}`;
  return `${value} is not ${words} ${limit}`;
}

function sizeProblems(on: "string" | "array" | "object", size: number, schema: JSONSchema): string[] {
  return allLimits.flatMap(([keyword, { on: applies, bound, unit }]) => {
    const limit = schema[keyword];
    if (applies !== on || typeof limit === "boolean" || limit === undefined) return [];
    if (bound === "least" ? size >= limit : size <= limit) return [];
    return [`it has ${size} ${unit}, ${bound === "least" ? "fewer" : "more"} than ${limit}`];
  });
}
