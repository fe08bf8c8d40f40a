import type { JSONSchema, ValidationRule } from "../../kubernetes/json-schema.ts";
import { allLimits } from "../../kubernetes/limits.ts";
import {
  type Check,
  flag,
  integer,
  json,
  list,
  Malformed,
  nonEmptyText,
  number,
  object,
  oneOf,
  record,
  text,
} from "./checks.ts";

const rule = object<ValidationRule>(
  {
    rule: nonEmptyText,
    message: text,
    messageExpression: text,
    reason: text,
    fieldPath: text,
    optionalOldSelf: flag,
  },
  "drop",
  ["rule"],
);

const limitValues = { number, int: integer(64), bool: flag };
const type = oneOf("string", "integer", "number", "boolean", "array", "object", "");

/**
 * Returns a check for a structural schema whose known keys have values of the right types. Unknown keys stay, so that they
 * can be reported.
 *
 * @param problemOf returns why a pattern isn't a valid Go regular expression
 */
export function schemaCheck(problemOf: (pattern: string) => string | undefined): Check<JSONSchema> {
  const pattern: Check<string> = (value, at) => {
    const word = text(value, at);
    const problem = problemOf(word);
    if (problem === undefined) return word;
    throw new Malformed(at, value, `must be a regular expression of Go: ${problem}`);
  };
  const schema: Check<JSONSchema> = (value, at) => whole(value, at);
  const schemaOrFlag: Check<JSONSchema | boolean> = (value, at) =>
    typeof value === "boolean" ? value : schema(value, at);
  const keywords: Readonly<Record<string, Check<unknown>>> = {
    type,
    format: text,
    title: text,
    description: text,
    default: json,
    example: json,
    nullable: flag,
    ...Object.fromEntries(allLimits.map(([keyword, { value }]) => [keyword, limitValues[value]])),
    pattern,
    enum: list(json),
    required: list(text),
    properties: record(schema),
    items: schema,
    additionalProperties: schemaOrFlag,
    allOf: list(schema),
    anyOf: list(schema),
    oneOf: list(schema),
    not: schema,
    externalDocs: object<{ url?: string; description?: string }>({ url: text, description: text }),
    "x-kubernetes-int-or-string": flag,
    "x-kubernetes-preserve-unknown-fields": flag,
    "x-kubernetes-embedded-resource": flag,
    "x-kubernetes-list-type": oneOf("atomic", "set", "map"),
    "x-kubernetes-list-map-keys": list(text),
    "x-kubernetes-map-type": oneOf("granular", "atomic"),
    "x-kubernetes-validations": list(rule),
  };
  const whole = object(keywords, "keep") as Check<JSONSchema>;
  return schema;
}
