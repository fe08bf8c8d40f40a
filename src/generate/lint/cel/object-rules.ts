import type { JsonObject } from "@kubewright/cel/json";
import { validateRules } from "@kubewright/cel/rules";
import { applyDefaults } from "@kubewright/cel/schema";
import type { JSONSchema, JSONValue } from "../../../kubernetes/json-schema.ts";
import type { ValueProblem } from "../model/validate.ts";
import { serverSchema } from "./compile.ts";

/**
 * Returns the CEL rules that a new object violates, after the defaults of the schema are applied. Rules that can't be compiled are
 * problems of the CRD, and transition rules apply only to updates.
 *
 * @param object - the whole object, which is valid by the schema
 */
export function ruleProblems(object: Readonly<Record<string, JSONValue>>, schema: JSONSchema): ValueProblem[] {
  const served = serverSchema(schema);
  const stored = structuredClone(object) as JsonObject;
  applyDefaults(stored, served);
  return validateRules(served, stored)
    .errors.filter(({ detail }) => !detail.startsWith("rule compile error"))
    .map(({ field, detail }) => ({ path: field === "" ? "" : `.${field}`, message: detail }));
}
