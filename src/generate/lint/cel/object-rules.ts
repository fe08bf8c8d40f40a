import { validateRules } from "@kubewright/cel/rules";
import type { JSONSchema, JSONValue } from "../../../kubernetes/json-schema.ts";
import type { ValueProblem } from "../model/validate.ts";
import { serverSchema } from "./compile.ts";

type JSONObject = Readonly<Record<string, JSONValue>>;

/**
 * Returns the CEL rules that a new object violates, after the defaults of the schema are applied. Rules that can't be compiled are
 * problems of the CRD, and transition rules apply only to updates.
 *
 * @param object - the whole object, which is valid by the schema
 */
export function ruleProblems(object: JSONObject, schema: JSONSchema): ValueProblem[] {
  const stored = withDefaults(object, schema) as Parameters<typeof validateRules>[1];
  return validateRules(serverSchema(schema), stored)
    .errors.filter(({ detail }) => !detail.startsWith("rule compile error"))
    .map(({ field, detail }) => ({ path: field === "" ? "" : `.${field}`, message: detail }));
}

function withDefaults(value: JSONValue, schema: JSONSchema): JSONValue {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => withDefaults(item, schema.items ?? {}));
  const { properties = {}, additionalProperties } = schema;
  const set = Object.entries(properties).flatMap(([name, { default: own }]) =>
    own === undefined || Object.hasOwn(value, name) ? [] : [[name, own] as const],
  );
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  return Object.fromEntries(
    [...Object.entries(value as JSONObject), ...set].map(([name, item]) => [
      name,
      withDefaults(item as JSONValue, Object.hasOwn(properties, name) ? (properties[name] ?? {}) : others),
    ]),
  );
}
