import type { Json } from "../json/json.ts";
import { cardinalityWithin, type RuleChecker, type RuleScope } from "../rules/check.ts";
import { findField } from "../schema/field-path.ts";
import type { Schema } from "../schema/schema.ts";
import { structuralProblem } from "../schema/structural.ts";
import type { FieldError } from "../validation/field-error.ts";
import { at, child, forbiddenValue, invalidValue, notSupported, required } from "../validation/paths.ts";
import { shownItems } from "./internal-form.ts";
import { listMapKeyErrors } from "./list-map-keys.ts";

/** The rules that the stored definition may already break, so that updates of it are accepted. */
export interface SchemaRules {
  requireValidType: boolean;
  requireAtomicSets: boolean;
  requireMapKeys: boolean;
}

interface Context extends Omit<RuleScope, "field" | "isRoot"> {
  rules: SchemaRules;
  errors: FieldError[];
  /** Checks expressions. Undefined for schemas that can have none. */
  expressions: RuleChecker | undefined;
  expressionErrors: FieldError[];
  /** Why defaults are forbidden here; `undefined` if they are allowed. */
  noDefaults?: string;
  insideMetadata: boolean;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];
const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const mapTypes = ["atomic", "granular"];
const metaFields = new Set(["metadata", "kind", "apiVersion"]);

/**
 * Checks which fields a schema of a definition uses and how.
 *
 * @param schema - the schema at the root
 * @param path - its path
 * @param rules - the rules to apply
 * @param expressions - checks the rules of CEL; undefined for a schema whose structure is broken
 * @returns the errors, those of expressions last
 */
export function validateDefinitionSchema(
  schema: Schema,
  path: string,
  rules: SchemaRules,
  expressions: RuleChecker | undefined,
): FieldError[] {
  const context: Context = {
    ...{ rules, errors: [], expressions, expressionErrors: [], insideMetadata: false },
    ...{ cardinality: 1, uncorrelatable: undefined },
  };
  checkSchema(schema, path, context, true);
  return [...context.errors, ...context.expressionErrors];
}

function checkSchema(schema: Schema, path: string, context: Context, isRoot: boolean): void {
  const { errors, rules, expressions, expressionErrors, ...scope } = context;
  const before = errors.length;
  checkFields(schema, path, context);
  if (schema.uniqueItems === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbiddenValue(child(path, "uniqueItems"), detail));
  }
  checkNestedSchemas(schema, path, context, isRoot);
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    const field = child(path, "x-kubernetes-preserve-unknown-fields");
    errors.push(invalidValue(field, false, "must be true or undefined"));
  }
  checkMapType(schema, path, errors);
  checkListType(schema, path, context);
  checkListMap(schema, path, errors);
  if (rules.requireMapKeys) errors.push(...listMapKeyErrors(schema, path));
  checkRules(schema, path, errors);
  // Expressions of a node with other errors have no type.
  if (expressions && errors.length === before) {
    expressionErrors.push(...expressions.check(schema, { ...scope, field: path, isRoot }));
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hasEntries(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Checks the fields that no schema of a definition may have. */
function checkFields(schema: Schema, path: string, context: Context): void {
  const { errors } = context;
  const raw = schema as Record<string, unknown>;
  const field = (name: string) => child(path, name);
  const type = schema.type ?? "";
  if (context.rules.requireValidType && type !== "" && !types.includes(type)) {
    errors.push(notSupported(field("type"), type, [...types]));
  }
  if (isSet(schema.default) && context.noDefaults !== undefined) {
    errors.push(forbiddenValue(field("default"), `must not be set ${context.noDefaults}`));
  }
  if (raw.id !== undefined && raw.id !== "") errors.push(forbiddenValue(field("id"), "id is not supported"));
  if (isSet(raw.additionalItems)) {
    errors.push(forbiddenValue(field("additionalItems"), "additionalItems is not supported"));
  }
  for (const name of ["patternProperties", "definitions"]) {
    if (hasEntries(raw[name])) errors.push(forbiddenValue(field(name), `${name} is not supported`));
  }
  if (isSet(raw.dependencies)) errors.push(forbiddenValue(field("dependencies"), "dependencies is not supported"));
  if (isSet(raw.$ref)) errors.push(forbiddenValue(field("$ref"), "$ref is not supported"));
  if (type === "null") {
    errors.push(forbiddenValue(field("type"), "type cannot be set to null, use nullable as an alternative"));
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(forbiddenValue(field("items"), "items must be a schema object and not an array"));
  }
  if (context.insideMetadata && schema["x-kubernetes-embedded-resource"] === true) {
    errors.push(forbiddenValue(field("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
  }
}

function checkNestedSchemas(schema: Schema, path: string, context: Context, isRoot: boolean): void {
  const others = schema.additionalProperties;
  const properties = Object.entries(schema.properties ?? {});
  const within: Context = { ...context, cardinality: cardinalityWithin(schema, context.cardinality) };
  if (others !== undefined) {
    const field = child(path, "additionalProperties");
    if (properties.length > 0 && others !== true) {
      context.errors.push(forbiddenValue(field, "additionalProperties and properties are mutual exclusive"));
    }
    const noDefaults = context.insideMetadata ? "inside additionalProperties applying to object metadata" : undefined;
    if (typeof others === "object") {
      checkSchema(others, field, noDefaults === undefined ? within : { ...within, noDefaults }, false);
    }
  }
  const mapType = schema["x-kubernetes-map-type"] ?? "granular";
  const fields = mapTypes.includes(mapType) ? within : uncorrelated(within, path);
  for (const [name, nested] of properties) {
    let inner = fields;
    if ((isRoot || schema["x-kubernetes-embedded-resource"] === true) && metaFields.has(name)) {
      inner = { ...fields, insideMetadata: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) };
    }
    checkSchema(nested, at(child(path, "properties"), name), inner, false);
  }
  const alternatives: Context = { ...context, expressions: undefined };
  if (schema.not !== undefined) checkSchema(schema.not, child(path, "not"), alternatives, false);
  for (const junctor of ["allOf", "oneOf", "anyOf"] as const) {
    schema[junctor]?.forEach((nested, index) => {
      checkSchema(nested, at(child(path, junctor), index), alternatives, false);
    });
  }
  for (const [name, nested] of Object.entries((schema as { definitions?: Record<string, Schema> }).definitions ?? {})) {
    checkSchema(nested, at(child(path, "definitions"), name), alternatives, false);
  }
  const items = schema["x-kubernetes-list-type"] === "map" ? within : uncorrelated(within, path);
  if (Array.isArray(schema.items)) {
    (schema.items as Schema[]).forEach((nested, index) => {
      checkSchema(nested, at(child(path, "items"), index), items, false);
    });
  } else if (schema.items !== undefined) checkSchema(schema.items, child(path, "items"), items, false);
}

/** Returns the context of values whose old values can't be found, because only the value around them has an identity. */
function uncorrelated(context: Context, path: string): Context {
  return { ...context, uncorrelatable: context.uncorrelatable ?? path };
}

function checkMapType(schema: Schema, path: string, errors: FieldError[]): void {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  const type = schema.type ?? "";
  if (type !== "object") {
    const detail = "must be object if x-kubernetes-map-type is specified";
    const field = child(path, "type");
    errors.push(type === "" ? required(field, detail) : invalidValue(field, type, detail));
  }
  if (!mapTypes.includes(mapType)) {
    errors.push(notSupported(child(path, "x-kubernetes-map-type"), mapType, [...mapTypes]));
  }
}

function checkListType(schema: Schema, path: string, context: Context): void {
  const { errors } = context;
  const listType = schema["x-kubernetes-list-type"];
  if (listType === undefined) return;
  const type = schema.type ?? "";
  const items = Array.isArray(schema.items) ? undefined : schema.items;
  if (type !== "array") {
    const detail = "must be array if x-kubernetes-list-type is specified";
    const field = child(path, "type");
    errors.push(type === "" ? required(field, detail) : invalidValue(field, type, detail));
  } else if (context.rules.requireAtomicSets && listType === "set" && items !== undefined) {
    const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    const itemsPath = child(path, "items");
    const shown: Json = items["x-kubernetes-list-type"] ?? null;
    if (items.type === "array" && (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic") {
      errors.push(invalidValue(child(itemsPath, "x-kubernetes-list-type"), shown, detail));
    }
    if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
      errors.push(invalidValue(child(itemsPath, "x-kubernetes-map-type"), shown, detail));
    }
  }
  if (listType !== "atomic" && listType !== "set" && listType !== "map") {
    errors.push(notSupported(child(path, "x-kubernetes-list-type"), listType, ["atomic", "set", "map"]));
  }
}

function checkListMap(schema: Schema, path: string, errors: FieldError[]): void {
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const typePath = child(path, "x-kubernetes-list-type");
  const keysPath = child(path, "x-kubernetes-list-map-keys");
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? required(typePath, detail) : invalidValue(typePath, listType, detail));
  }
  if (listType !== "map") return;
  if (keys.length === 0) errors.push(required(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  const itemsPath = child(path, "items");
  if (schema.items === undefined) {
    errors.push(required(itemsPath, "must have a schema if x-kubernetes-list-type is map"));
    return;
  }
  if (Array.isArray(schema.items)) {
    const detail = "must only have a single schema if x-kubernetes-list-type is map";
    errors.push(invalidValue(itemsPath, shownItems(schema.items), detail));
    return;
  }
  const type = schema.items.type ?? "";
  if (type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(child(itemsPath, "type"), type, detail));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = Object.hasOwn(schema.items.properties ?? {}, key) ? schema.items.properties?.[key] : undefined;
    if (property === undefined) {
      errors.push(invalidValue(keysPath, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const field = child(at(child(itemsPath, "properties"), key), "type");
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(field, type, detail));
    }
    if (seen.has(key)) errors.push(invalidValue(keysPath, keys, "must not contain duplicate entries"));
    seen.add(key);
  }
}

function checkRules(schema: Schema, path: string, errors: FieldError[]): void {
  schema["x-kubernetes-validations"]?.forEach((rule, index) => {
    const field = (name: string) => child(at(child(path, "x-kubernetes-validations"), index), name);
    const { message = "", messageExpression = "", fieldPath = "" } = rule;
    const text = (rule.rule ?? "").trim();
    const lines = /[\n\r]/;
    if (text === "") errors.push(required(field("rule"), "rule is not specified"));
    else if (message !== "" && message.trim() === "") {
      errors.push(invalidValue(field("message"), message, "must be non-empty if specified"));
    } else if (lines.test(message.trim())) {
      errors.push(invalidValue(field("message"), message, "must not contain line breaks"));
    } else if (lines.test(text) && message.trim() === "") {
      errors.push(required(field("message"), "message must be specified if rule contains line breaks"));
    }
    if (messageExpression !== "" && messageExpression.trim() === "") {
      errors.push(required(field("messageExpression"), "messageExpression must be non-empty if specified"));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      errors.push(notSupported(field("reason"), rule.reason, reasons));
    }
    if (fieldPath === "") return;
    if (fieldPath.trim() === "") {
      errors.push(invalidValue(field("fieldPath"), fieldPath, "must be non-empty if specified"));
    }
    if (lines.test(fieldPath)) errors.push(invalidValue(field("fieldPath"), fieldPath, "must not contain line breaks"));
    if (!isValidPath(schema, fieldPath))
      errors.push(invalidValue(field("fieldPath"), fieldPath, "must be a valid path"));
  });
}

function isValidPath(schema: Schema, path: string): boolean {
  if (structuralProblem(schema) !== undefined) return true;
  try {
    findField(path, schema);
    return true;
  } catch {
    return false;
  }
}
