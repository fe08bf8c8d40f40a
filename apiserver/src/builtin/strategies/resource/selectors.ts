import { compile } from "../../../cel/compile.ts";
import type { Declarations, StructDeclaration } from "../../../cel/environment.ts";
import { parseType } from "../../../cel/function.ts";
import { formatType } from "../../../cel/type.ts";
import type { JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { invalidValue, required, tooLong } from "../../../request/paths.ts";
import { byteLength } from "../../../validation/name-rules.ts";
import { fieldsOf, isSet, textOf } from "../fields.ts";
import { listErrors } from "./lists.ts";

const longestExpression = 10 * 1024;
const maximumSelectors = 32;
const deviceType = "kubernetes.DRADevice";

/** The type of the variable `device`. */
const structs: Declarations<StructDeclaration> = new Map([
  [
    deviceType,
    {
      fields: new Map(
        Object.entries({
          driver: "string",
          attributes: "map(string, map(string, dyn))",
          capacity: "map(string, map(string, kubernetes.Quantity))",
          allowMultipleAllocations: "bool",
        }).map(([name, type]) => [name, parseType(type)]),
      ),
    },
  ],
]);

/** Checks the expressions that select devices. */
export function selectorErrors(selectors: JsonObject[string] | undefined, path: string): FieldError[] {
  return listErrors(selectors, path, maximumSelectors, (selector, at) =>
    isSet(selector.cel)
      ? expressionErrors(textOf(fieldsOf(selector.cel).expression), `${at}.cel.expression`)
      : [required(`${at}.cel`, "")],
  );
}

function expressionErrors(text: string, path: string): FieldError[] {
  if (byteLength(text) > longestExpression) return [tooLong(path, longestExpression)];
  const compiled = compile(text, { variables: { device: parseType(deviceType) }, structs });
  if ("problems" in compiled) {
    const { type, problems } = compiled;
    if (type === undefined) return [invalidValue(path, text, `compilation failed: ${problems}`)];
    return [{ type: "InternalError", field: path, detail: `program instantiation failed: ${problems}` }];
  }
  const type = formatType(compiled.type);
  if (["bool", "dyn", "any"].includes(type)) return [];
  return [invalidValue(path, text, `must evaluate to bool or the unknown type, not ${type}`)];
}
