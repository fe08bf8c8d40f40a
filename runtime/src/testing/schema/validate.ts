import { isJsonObject, type JsonObject } from "../../json/object.ts";
import { same } from "../json-patch.ts";
import { fieldError, NO_FIELD, NO_VALUE } from "./field-error.ts";
import { Findings } from "./findings.ts";
import { keyOf } from "./list-types.ts";
import { enumErrors, formatErrors, numberErrors, sizeErrors, textErrors, typeErrors } from "./scalars.ts";
import { additionalOf, itemsOf, type Schema } from "./schema.ts";

/** A value before an update. Unchanged invalid values are tolerated. */
export type Before = { readonly value: unknown } | undefined;

/**
 * Validates a value against a schema, with the messages of API servers. Paths have no leading dot; `before` is the previous
 * value, if there was one.
 */
export function validate(value: unknown, schema: Schema, path: string, before: Before): Findings {
  const findings = check(value, schema, path, before);
  if (findings.isValid || !before || !same(before.value, value)) return findings;
  const tolerated = new Findings();
  tolerated.checks = findings.checks;
  return tolerated;
}

function check(value: unknown, schema: Schema, path: string, before: Before): Findings {
  const findings = new Findings();
  const merge = (more: Findings): void => {
    findings.merge(more);
    findings.checks++;
  };
  if (value === null) {
    findings.merge(typeErrors(value, schema, path));
    findings.merge(enumErrors(value, schema, path));
    return findings;
  }
  if (schema.type || schema.format || schema["x-kubernetes-int-or-string"]) merge(typeErrors(value, schema, path));
  merge(branchErrors(value, schema, path, before));
  if (typeof value === "string") {
    merge(textErrors(value, schema, path));
    merge(formatErrors(value, schema, path));
  }
  if (typeof value === "number" || typeof value === "bigint") merge(numberErrors(value, schema, path));
  if (Array.isArray(value)) merge(listErrors(value, schema, path, before));
  merge(enumErrors(value, schema, path));
  if (isJsonObject(value)) merge(objectErrors(value, schema, path, before));
  findings.checks++;
  return findings;
}

function listErrors(list: readonly unknown[], schema: Schema, path: string, before: Before): Findings {
  const findings = new Findings();
  const items = itemsOf(schema);
  if (items) {
    const old = correlated(list, schema, before);
    for (const [index, item] of list.entries()) {
      findings.merge(validate(item, items, `${path}[${index}]`, old(item)));
    }
  }
  for (const error of sizeErrors(list.length, schema.minItems, schema.maxItems, "items", path)) findings.add(error);
  findings.checks++;
  return findings;
}

// Only items of list maps can be matched to previous items.
function correlated(list: readonly unknown[], schema: Schema, before: Before): (item: unknown) => Before {
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(before?.value) || list.length === 0) {
    return () => undefined;
  }
  const old = before.value.filter(isJsonObject);
  return (item) => {
    if (!isJsonObject(item)) return undefined;
    const value = old.find((other) => same(keyOf(other, names), keyOf(item, names)));
    return value && { value };
  };
}

function objectErrors(object: JsonObject, schema: Schema, path: string, before: Before): Findings {
  const findings = new Findings();
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  for (const error of sizeErrors(names.length, schema.minProperties, schema.maxProperties, "properties", path)) {
    findings.add(error);
  }
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const additional = additionalOf(schema);
  for (const name of names) {
    const known = Object.hasOwn(properties, name);
    const own = known ? properties[name]! : additional;
    if (!own) continue;
    findings.merge(validate(object[name], own, below(name), fieldBefore(name, path, before)));
  }
  for (const name of required) {
    if (!names.includes(name)) findings.add(fieldError("FieldValueRequired", below(name), NO_VALUE));
  }
  return findings;
}

function fieldBefore(name: string, path: string, before: Before): Before {
  if (!isJsonObject(before?.value) || !Object.hasOwn(before.value, name)) return undefined;
  // Versions are compared after conversion, so the previous apiVersion and kind are unavailable.
  if (path === "" && (name === "apiVersion" || name === "kind")) return undefined;
  return { value: before.value[name] };
}

function branchErrors(value: unknown, schema: Schema, path: string, before: Before): Findings {
  const findings = new Findings();
  const evaluate = (branch: Schema): Findings => check(value, branch, path, before);
  const complain = (message: string): void => {
    findings.add(fieldError("FieldValueInvalid", NO_FIELD, "", `${JSON.stringify(path)} ${message}`));
  };
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length > 0) {
    const results = anyOf.map(evaluate);
    const fitting = results.find(({ isValid }) => isValid);
    if (!fitting) complain("must validate at least one schema (anyOf)");
    findings.merge(fitting ?? nearest(results));
  }
  if (oneOf.length > 0) {
    const results = oneOf.map(evaluate);
    const fitting = results.filter(({ isValid }) => isValid);
    const [only] = fitting;
    if (only && fitting.length === 1) findings.merge(only);
    else {
      const count = only ? `Found ${fitting.length} valid alternatives` : "Found none valid";
      complain(`must validate one and only one schema (oneOf). ${count}`);
      const failed = afterTheFirst(results);
      if (failed) findings.merge(failed);
    }
  }
  if (allOf.length > 0) {
    const results = allOf.map(evaluate);
    for (const result of results) findings.merge(result);
    const fitting = results.filter(({ isValid }) => isValid).length;
    if (fitting !== results.length) {
      complain(`must validate all the schemas (allOf)${fitting === 0 ? ". None validated" : ""}`);
    }
  }
  if (not && evaluate(not).isValid) complain("must not validate the schema (not)");
  findings.checks++;
  return findings;
}

/** Returns the closest of several failing alternatives, or the first of equally close ones. */
function nearest(results: readonly Findings[]): Findings {
  return results.reduce((best, result) => (result.checks > best.checks ? result : best));
}

// Servers report the closest failure only if no alternative matches.
function afterTheFirst(results: readonly Findings[]): Findings | undefined {
  return results.some(({ isValid }) => isValid) ? undefined : nearest(results);
}
