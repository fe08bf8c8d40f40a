import { RE2JS } from "re2js";
import { stringFormat, supportedFormat } from "../formats/formats.ts";
import { regexProblem } from "../formats/regex-problem.ts";
import { goQuote } from "../json/go-text.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import type { CorrelatedObject } from "./correlated-object.ts";
import { compileLogic } from "./logical-checks.ts";
import { compileNumberCheck, isIntegral } from "./number-checks.ts";
import type { Schema } from "./schema.ts";
import { isSliced, onceInSlices } from "./slices.ts";
import { type CheckOf, type SchemaCheck, ValidationResult, type Violation } from "./validation-result.ts";

/**
 * Compiles a schema to a check.
 *
 * @param schema - the schema
 * @param checkOf - returns the checks of nested schemas
 * @returns the check
 */
export function compileChecks(schema: Schema, checkOf: CheckOf): SchemaCheck {
  const types = typesOf(schema);
  const format = supportedFormat(types.length === 1 ? (types[0] as string) : "", schema.format ?? "");
  const anyFormat = types.length > 1 ? "" : format;
  const type = types.length > 0 || anyFormat !== "" ? compileType(types, anyFormat) : undefined;
  const logic = compileLogic(schema, checkOf);
  const string = compileString(schema, anyFormat);
  const number = compileNumberCheck(schema, types, anyFormat);
  const list = compileList(schema, checkOf);
  const object = compileObject(schema, checkOf);
  const allowed = schema.enum !== undefined && schema.enum.length > 0 ? schema.enum : undefined;
  return (value, path, result, correlation) => {
    if (value === null) {
      if (types.length > 0 && schema.nullable !== true) result.add(typeViolation(path, types.join(","), "null"));
      else result.matches++;
      if (allowed !== undefined) result.add(enumViolation(path, value, allowed));
      return;
    }
    if (type !== undefined) {
      type(value, path, result, undefined);
      result.matches++;
    }
    logic(value, path, result, undefined);
    result.matches++;
    if (typeof value === "string") {
      string(value, path, result);
    } else if (typeof value === "number" || typeof value === "bigint") {
      number(value, path, result);
      result.matches++;
    } else if (Array.isArray(value)) {
      list(value, path, result, correlation);
      result.matches += 2;
    }
    if (allowed !== undefined && !allowed.some((member) => equalToEnum(value, member))) {
      result.add(enumViolation(path, value, allowed));
    }
    result.matches++;
    if (isObject(value)) {
      object(value, path, result, correlation);
      result.matches++;
    }
    result.matches++;
  };
}

function typesOf(schema: Schema): string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type === undefined || schema.type === "" ? [] : [schema.type];
}

/** @returns the type of a value in messages */
export function typeOfValue(value: Json): "boolean" | "string" | "integer" | "number" | "array" | "object" {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    case "bigint":
      return "integer";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    default:
      return Array.isArray(value) ? "array" : "object";
  }
}

function typeViolation(path: string, expected: string, actual: string): Violation {
  return {
    kind: "type",
    path,
    message: `${path} in body must be of type ${expected}: ${goQuote(actual)}`,
    value: actual,
  };
}

function enumViolation(path: string, value: Json, values: Json[]): Violation {
  const shown = values
    .map((member) => (typeof member === "string" || typeof member === "bigint" ? member : JSON.stringify(member)))
    .join(" ");
  return { kind: "enum", path, message: `${path} in body should be one of [${shown}]`, value, values };
}

function compileType(types: readonly string[], format: string): SchemaCheck {
  const expected = types.join(",");
  const integer = types.includes("integer");
  const numeric = integer || types.includes("number");
  return (value, path, result) => {
    const actual = typeOfValue(value);
    const floatInteger = integer && actual === "number" && isIntegral(value as number);
    const matches = types.includes(actual) || floatInteger || (actual === "integer" && types.includes("number"));
    const textual = actual === "string" || actual === "array";
    const formatOfValue = actual === "integer" ? "int64" : actual === "number" ? "float64" : "";
    if (!textual && format !== "" && !matches && format !== formatOfValue) {
      result.add(typeViolation(path, format, formatOfValue));
    } else if (!(textual && format !== "" && !numeric) && !matches) {
      result.add(typeViolation(path, expected, actual));
    } else {
      result.matches++;
    }
  };
}

/** Compares as the server does, which converts the value to the type of the allowed one first. */
function equalToEnum(value: Json, allowed: Json): boolean {
  if (typeof value === "number" && typeof allowed === "number") {
    return value === allowed || (Number.isSafeInteger(allowed) && Math.trunc(value) === allowed);
  }
  if (typeof value === "number" && typeof allowed === "string" && Number.isSafeInteger(value)) {
    return value >= 0 && value <= 0x10ffff && String.fromCodePoint(value) === allowed;
  }
  return equalJson(value, allowed);
}

function runeCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xdc00 && code <= 0xdfff) count--;
  }
  return count;
}

function compileString(
  schema: Schema,
  format: string,
): (value: string, path: string, result: ValidationResult) => void {
  const { maxLength, minLength } = schema;
  const pattern = schema.pattern === undefined || schema.pattern === "" ? undefined : compilePattern(schema.pattern);
  const ofFormat = format === "" ? undefined : stringFormat(format);
  return (value, path, result) => {
    if (maxLength !== undefined && value.length > maxLength && runeCount(value) > maxLength) {
      const message = `${path} in body should be at most ${maxLength} chars long`;
      result.add({ kind: "tooLong", path, message, value, limit: maxLength });
    } else if (minLength !== undefined && runeCount(value) < minLength) {
      result.add({ kind: "other", path, message: `${path} in body should be at least ${minLength} chars long`, value });
    } else if (pattern !== undefined && !pattern.matches(value)) {
      result.add({ kind: "other", path, message: `${path} in body should match '${pattern.text}'`, value });
    }
    result.matches++;
    if (ofFormat !== undefined) {
      if (!ofFormat(value)) {
        const message = `${path} in body must be of type ${format}: ${goQuote(value)}`;
        result.add({ kind: "type", path, message, value });
      }
      result.matches++;
    }
  };
}

/** A pattern, and its text in messages. */
interface Pattern {
  text: string;
  matches: (value: string) => boolean;
}

function compilePattern(pattern: string): Pattern {
  try {
    const compiled = RE2JS.compile(pattern);
    return { text: pattern, matches: (value) => compiled.matcher(value).find() };
  } catch (error) {
    return { text: `${pattern}, but pattern is invalid: ${regexProblem(error)}`, matches: () => false };
  }
}

/** Validates a field or item, without the errors of an unchanged value. */
function checkNested(
  check: SchemaCheck,
  value: Json,
  path: string,
  result: ValidationResult,
  correlation: CorrelatedObject | undefined,
): void {
  if (correlation === undefined) {
    check(value, path, result, undefined);
    return;
  }
  const nested = new ValidationResult();
  check(value, path, nested, correlation);
  mergeNested(nested, result, correlation);
}

function mergeNested(
  nested: ValidationResult,
  result: ValidationResult,
  correlation: CorrelatedObject | undefined,
): void {
  if (correlation === undefined || nested.valid || !correlation.isEqual()) result.merge(nested);
  else result.matches += nested.matches;
}

/** Validates an item of a list or a value of a map: there can be so many of them that this takes long. */
function checkMember(
  schema: Schema,
  check: SchemaCheck,
  value: Json,
  path: string,
  result: ValidationResult,
  correlation: CorrelatedObject | undefined,
): void {
  if (!isSliced()) {
    checkNested(check, value, path, result, correlation);
    return;
  }
  const nested = onceInSlices(schema, value, path, () => {
    const own = new ValidationResult();
    check(value, path, own, correlation);
    return own;
  });
  mergeNested(nested, result, correlation);
}

function compileList(
  schema: Schema,
  checkOf: CheckOf,
): (value: Json[], path: string, result: ValidationResult, correlation: CorrelatedObject | undefined) => void {
  const { items, minItems, maxItems, uniqueItems } = schema;
  return (value, path, result, correlation) => {
    if (items !== undefined) {
      const check = checkOf(items);
      for (let index = 0; index < value.length; index++) {
        checkMember(items, check, value[index] as Json, `${path}[${index}]`, result, correlation?.index(index));
      }
    }
    if (minItems !== undefined && value.length < minItems) {
      const message = `${path} in body should have at least ${minItems} items`;
      result.add({ kind: "other", path, message, value: value.length });
    }
    if (maxItems !== undefined && value.length > maxItems) {
      const message = `${path} in body should have at most ${maxItems} items`;
      result.add({ kind: "tooMany", path, message, value: value.length, limit: maxItems });
    }
    if (
      uniqueItems === true &&
      value.some((item, index) => value.slice(0, index).some((earlier) => equalJson(earlier, item)))
    ) {
      result.add({ kind: "other", path, message: `${path} in body shouldn't contain duplicates` });
    }
  };
}

function compileObject(
  schema: Schema,
  checkOf: CheckOf,
): (value: JsonObject, path: string, result: ValidationResult, correlation: CorrelatedObject | undefined) => void {
  const { minProperties, maxProperties, required } = schema;
  const properties = Object.entries(schema.properties ?? {});
  const others = schema.additionalProperties;
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, nested]) => ({
    pattern: compilePattern(pattern),
    nested,
  }));
  const hasProperty = new Set(properties.map(([name]) => name));
  const counted = minProperties !== undefined || maxProperties !== undefined;
  const checkOthers = others === false || typeof others === "object" || patterns.length > 0;
  const childOf = (correlation: CorrelatedObject | undefined, path: string, name: string) =>
    // Both objects have been converted to the same kind and version: a change is not visible.
    path === "" && (name === "kind" || name === "apiVersion") ? undefined : correlation?.key(name);
  return (value, path, result, correlation) => {
    if (counted) {
      const size = Object.keys(value).length;
      if (minProperties !== undefined && size < minProperties) {
        const message = `${path} in body should have at least ${minProperties} properties`;
        result.add({ kind: "other", path, message, value: size });
      }
      if (maxProperties !== undefined && size > maxProperties) {
        const message = `${path} in body should have at most ${maxProperties} properties`;
        result.add({ kind: "tooMany", path, message, value: size, limit: maxProperties });
      }
    }
    if (checkOthers) {
      for (const name of Object.keys(value)) {
        const matched = patterns.filter(({ pattern }) => pattern.matches(name));
        if (others !== false) {
          for (const { nested } of matched) {
            checkMember(
              nested,
              checkOf(nested),
              value[name] as Json,
              `${path}.${name}`,
              result,
              childOf(correlation, path, name),
            );
          }
        }
        if (hasProperty.has(name) || matched.length > 0) continue;
        if (others === false) {
          const message = `${path}.${name} in body is a forbidden property`;
          result.add({ kind: "other", path, message, value: name });
        } else if (typeof others === "object") {
          checkMember(
            others,
            checkOf(others),
            value[name] as Json,
            `${path}.${name}`,
            result,
            childOf(correlation, path, name),
          );
        }
      }
    }
    for (const [name, nested] of properties) {
      const field = value[name];
      if (field === undefined || !Object.hasOwn(value, name)) continue;
      const fieldPath = path === "" ? name : `${path}.${name}`;
      checkNested(checkOf(nested), field, fieldPath, result, childOf(correlation, path, name));
    }
    for (const name of required ?? []) {
      if (value[name] === undefined || !Object.hasOwn(value, name)) {
        result.add({ kind: "required", path: `${path}.${name}`, message: `${path}.${name} in body is required` });
      }
    }
    if (others === false) {
      for (const { pattern, nested } of patterns) {
        for (const name of Object.keys(value)) {
          if (pattern.matches(name)) checkOf(nested)(value[name] as Json, `${path}.${name}`, result, undefined);
        }
      }
    }
  };
}
