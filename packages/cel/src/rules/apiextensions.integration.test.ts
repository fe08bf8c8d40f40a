// The rules of the CEL tests in apiextensions must have the same errors and costs as in kube-apiserver.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeJson } from "../json/decode.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { fieldErrorMessage } from "../validation/field-error.ts";
import { validateRules } from "./validator.ts";

interface Row {
  schema: Schema;
  isRoot: boolean;
  object: Json;
  old?: Json;
  budget: number;
  errors: string[];
  rest: number;
}

const file = readFileSync(new URL("../../testdata/apiextensions/rules.jsonl", import.meta.url), "utf8");
const rows = file
  .trim()
  .split("\n")
  .map((line) => decodeJson(line).value as unknown as Row);

/** The tests evaluate rules of values that aren't resources under the path `root`. */
function below(row: Row): { schema: Schema; object: JsonObject; old: JsonObject | undefined } {
  const { object, old, schema, isRoot } = row;
  if (isRoot) return { schema, object: object as JsonObject, old: old as JsonObject | undefined };
  return {
    schema: { type: "object", properties: { root: schema } },
    object: { root: object },
    old: old === undefined ? undefined : { root: old },
  };
}

/** Types of schemas that aren't resources have random names. */
const withoutHash = (text: string): string => text.replace(/selfType\d*(\.root)?/g, "selfType");

/** Resources have the path `root` in the tests, and none in the server. */
function expected({ isRoot }: Row): (text: string) => string {
  return (text) => withoutHash(isRoot ? text.replace(/^root: /, "<nil>: ").replace(/^root\./, "") : text);
}

const rulesOf = ({ schema }: Row): string => JSON.stringify(schema).match(/"rule":"((?:[^"\\]|\\.)*)"/)?.[1] ?? "";

test.each(rows.map((row) => [rulesOf(row), row] as const))("%s", (_rule, row) => {
  const { schema, object, old } = below(row);
  const { errors, remainingBudget } = validateRules(schema, object, old, undefined, Number(row.budget));
  expect(errors.map((error) => withoutHash(fieldErrorMessage(error))).sort()).toEqual(
    row.errors.map(expected(row)).sort(),
  );
  expect(remainingBudget).toBe(Number(row.rest));
});
