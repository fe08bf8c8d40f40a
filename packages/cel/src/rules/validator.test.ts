import { expect, test } from "vitest";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import { fieldErrorMessage } from "../validation/field-error.ts";
import { RuleChecker } from "./check.ts";
import { validateRules } from "./validator.ts";

function schemaOf(...rules: ValidationRule[]): Schema {
  const spec: Schema = {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    "x-kubernetes-validations": rules,
  };
  return { type: "object", properties: { spec } };
}

const messages = (schema: Schema, spec: { a?: number; b?: number }, old?: { a?: number; b?: number }) =>
  validateRules(schema, { spec }, old && { spec: old }).errors.map(fieldErrorMessage);

test("reports a rule that fails, without the value of objects", () => {
  expect(messages(schemaOf({ rule: "self.a <= self.b" }), { a: 2, b: 1 })).toEqual([
    "spec: Invalid value: failed rule: self.a <= self.b",
  ]);
});

test("reports errors of the evaluation", () => {
  expect(messages(schemaOf({ rule: "self.a <= self.b" }), { a: 2 })).toEqual([
    'spec: Invalid value: "object": no such key: b evaluating rule: self.a <= self.b',
  ]);
});

test("applies reason, fieldPath and messageExpression", () => {
  const rule = {
    rule: "self.a < 5",
    reason: "FieldValueForbidden",
    fieldPath: ".a",
    messageExpression: "'got ' + string(self.a)",
  };
  expect(messages(schemaOf(rule), { a: 7 })).toEqual(["spec.a: Forbidden: got 7"]);
});

test("evaluates transition rules only with an old value", () => {
  const schema = schemaOf({ rule: "self.a >= oldSelf.a" });
  expect(messages(schema, { a: 1 })).toEqual([]);
  expect(messages(schema, { a: 1 }, { a: 2 })).toHaveLength(1);
});

test("turns errors of unchanged nodes into warnings", () => {
  const result = validateRules(schemaOf({ rule: "self.a > 5" }), { spec: { a: 1 } }, { spec: { a: 1 } }, () => true);
  expect(result.errors).toEqual([]);
  expect(result.warnings).toHaveLength(1);
});

test("reports the position of errors in expressions", () => {
  const { spec } = schemaOf({ rule: "self.other == 1" }).properties as { spec: Schema };
  const scope = { field: "s", isRoot: false, cardinality: 1, uncorrelatable: undefined };
  const [error] = new RuleChecker(false).check(spec, scope);
  expect(error?.detail).toBe(
    "compilation failed: ERROR: <input>:1:5: undefined field 'other'\n | self.other == 1\n | ....^",
  );
});
