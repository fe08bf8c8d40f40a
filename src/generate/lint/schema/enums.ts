import type { JSONSchema, JSONValue } from "../../schema/model/json-schema.ts";
import type { SchemaLint } from "../model/finding.ts";
import { shown, valueProblems } from "../model/validate.ts";

/** Reports enum values that the schema's own type rejects, duplicates, and null, which an enum without it rejects. */
export const enums: SchemaLint = ({ schema }, report) => {
  if (
    schema.nullable &&
    [schema, ...(schema.allOf ?? [])].some(({ enum: values }) => values?.includes(null) === false)
  ) {
    report({
      id: "enum-null",
      message: "null is never valid, because it isn't one of the allowed values",
      hint: "remove `| null` or `+nullable` and make the field optional, or allow any value of the type",
      keywords: ["nullable", "enum"],
    });
  }
  if (!schema.enum) return;
  const typeOnly: JSONSchema = pick(schema);
  for (const value of schema.enum) {
    const [problem] = value === null && schema.nullable ? [] : valueProblems(value, typeOnly, "fine");
    if (!problem) continue;
    report({
      id: "enum-type",
      message: `the enum value ${shown(value)} is never valid: ${problem.message}`,
      hint: quoteHint(value, schema),
      keywords: ["enum"],
    });
  }
  for (const value of duplicates(schema.enum)) {
    report({
      id: "enum-duplicate",
      message: `the enum value ${value} is listed twice`,
      hint: "list each value once",
      keywords: ["enum"],
    });
  }
};

function pick(schema: JSONSchema): JSONSchema {
  const intOrString = schema["x-kubernetes-int-or-string"];
  return {
    ...(schema.type === undefined ? {} : { type: schema.type }),
    ...(intOrString ? { "x-kubernetes-int-or-string": true } : {}),
  };
}

function quoteHint(value: JSONValue, { type }: JSONSchema): string {
  return type === "string" && typeof value !== "object"
    ? `quote it to make it a string, such as Enum="${String(value)}"`
    : `use values of type ${type}`;
}

function duplicates(values: readonly JSONValue[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const text of values.map(shown)) (seen.has(text) ? twice : seen).add(text);
  return [...twice];
}
