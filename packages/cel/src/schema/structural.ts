import type { Json } from "../json/json.ts";
import { compareBytes, equalJson } from "../json/values.ts";
import { type FieldError, fieldErrorMessage } from "../validation/field-error.ts";
import { at, child, forbiddenValue, invalidValue, required } from "../validation/paths.ts";
import { patternProblem } from "./pattern-problem.ts";
import type { Schema } from "./schema.ts";

type Level = "root" | "item" | "field";

const intOrString: Json = [{ type: "integer" }, { type: "string" }];

/**
 * Checks that a schema is structural: every value has a type, and value validations only refine what is defined outside them.
 *
 * @param schema - the schema of a resource
 * @param path - the path of the schema in its definition
 * @returns the errors, sorted by their messages
 */
export function validateStructural(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkInvariants(schema, "root", path, errors);
  checkJunctors(schema, schema, path, path, errors);
  const messages = new Map(errors.map((error) => [error, fieldErrorMessage(error)]));
  return errors.sort((left, right) => compareBytes(messages.get(left) as string, messages.get(right) as string));
}

const unsupported = ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"];

/**
 * Returns the reason why a schema can't be read as a structural schema at all.
 *
 * @param schema - the schema
 * @returns the message, or `undefined`
 */
export function structuralProblem(schema: Schema): string | undefined {
  const pending: Schema[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of unsupported) {
      const value = (next as Record<string, unknown>)[name];
      if (value === undefined || value === "" || isEmptyObject(value)) continue;
      return `OpenAPIV3Schema '${name === "$schema" ? "schema" : name}' is not supported`;
    }
    if (next["x-kubernetes-preserve-unknown-fields"] === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
    if (Array.isArray(next.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    pending.push(...nestedSchemas(next));
  }
  return undefined;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/**
 * Returns the schemas directly within a schema.
 *
 * @param schema - the schema
 * @returns those of items, properties and junctors
 */
export function nestedSchemas(schema: Schema): Schema[] {
  const items: Schema[] = Array.isArray(schema.items) ? schema.items : schema.items === undefined ? [] : [schema.items];
  return [
    ...items,
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.not === undefined ? [] : [schema.not]),
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
    ...Object.values(schema.patternProperties ?? {}),
  ];
}

function checkInvariants(schema: Schema, level: Level, path: string, errors: FieldError[]): void {
  const type = schema.type ?? "";
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const preserve = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const either = schema["x-kubernetes-int-or-string"] === true;
  const properties = schema.properties ?? {};
  const others = schema.additionalProperties;
  const field = (name: string) => child(path, name);
  const ofProperty = (name: string) => at(field("properties"), name);
  if (type === "array" && schema.items === undefined) errors.push(required(field("items"), "must be specified"));
  if (schema.items !== undefined) checkInvariants(schema.items, "item", field("items"), errors);
  for (const [name, nested] of Object.entries(properties)) checkInvariants(nested, "field", ofProperty(name), errors);
  if (others !== undefined) {
    const othersPath = field("additionalProperties");
    if (level === "root") errors.push(forbiddenValue(othersPath, "must not be used at the root"));
    if (typeof others === "object") checkInvariants(others, "field", othersPath, errors);
  }
  if (either && preserve) {
    const detail = "must be false if x-kubernetes-int-or-string is true";
    errors.push(invalidValue(field("x-kubernetes-preserve-unknown-fields"), true, detail));
  }
  if (either && embedded) {
    const detail = "must be false if x-kubernetes-int-or-string is true";
    errors.push(invalidValue(field("x-kubernetes-embedded-resource"), true, detail));
  }
  const skipAnyOf = equalJson(schema.anyOf as Json | undefined, intOrString);
  const skipFirstAllOf = equalJson(schema.allOf?.[0]?.anyOf as Json | undefined, intOrString);
  checkValueValidation(schema, skipAnyOf, skipFirstAllOf, path, errors);
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(field("type"), detail) : invalidValue(field("type"), type, detail));
  } else if (type === "" && !either && !preserve) {
    const where = { root: "at the root", item: "for specified array items", field: "for specified object fields" }[
      level
    ];
    errors.push(required(field("type"), `must not be empty ${where}`));
  }
  if (embedded && others !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbiddenValue(field("additionalProperties"), detail));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalidValue(field("type"), type, "must be object at the root"));
  }
  const checkMetadata = level === "root" || embedded;
  for (const name of ["kind", "apiVersion"]) {
    if (!checkMetadata || !Object.hasOwn(properties, name)) continue;
    const actual = (properties[name] as Schema).type ?? "";
    if (actual !== "string") errors.push(invalidValue(child(ofProperty(name), "type"), actual, "must be string"));
  }
  if (Object.hasOwn(properties, "metadata")) {
    checkMetadataSchema(properties.metadata as Schema, checkMetadata, level, ofProperty("metadata"), errors);
  }
  if (embedded && !preserve && Object.keys(properties).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(field("properties"), detail));
  }
}

function checkMetadataSchema(
  schema: Schema,
  checkType: boolean,
  level: Level,
  path: string,
  errors: FieldError[],
): void {
  const type = schema.type ?? "";
  if (checkType && type !== "object") errors.push(invalidValue(child(path, "type"), type, "must be object"));
  if (level !== "root") return;
  const { type: _type, default: _default, properties = {}, ...rest } = schema;
  const names = Object.keys(properties);
  const onlyNames = names.every((name) => name === "name" || name === "generateName");
  const empty = (value: unknown) => value === undefined || value === false || value === "" || isEmptyObject(value);
  if (onlyNames && Object.values(rest).every(empty)) return;
  const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  errors.push(forbiddenValue(path, detail));
}

function checkValueValidation(
  schema: Schema,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  path: string,
  errors: FieldError[],
): void {
  if (!skipAnyOf) {
    schema.anyOf?.forEach((nested, index) => {
      checkNested(nested, false, at(child(path, "anyOf"), index), errors);
    });
  }
  schema.allOf?.forEach((nested, index) => {
    checkNested(nested, skipFirstAllOf && index === 0, at(child(path, "allOf"), index), errors);
  });
  schema.oneOf?.forEach((nested, index) => {
    checkNested(nested, false, at(child(path, "oneOf"), index), errors);
  });
  if (schema.not !== undefined) checkNested(schema.not, false, child(path, "not"), errors);
  if (schema.pattern !== undefined && schema.pattern !== "") {
    const problem = patternProblem(schema.pattern);
    if (problem !== undefined) {
      const detail = `must be a valid regular expression, but isn't: ${problem}`;
      errors.push(invalidValue(child(path, "pattern"), schema.pattern, detail));
    }
  }
}

const mustBeEmpty: readonly [keyof Schema, string][] = [
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function checkNested(schema: Schema, skipAnyOf: boolean, path: string, errors: FieldError[]): void {
  checkValueValidation(schema, skipAnyOf, false, path, errors);
  if (schema.items !== undefined) checkNested(schema.items, false, child(path, "items"), errors);
  for (const [name, nested] of Object.entries(schema.properties ?? {})) {
    checkNested(nested, false, at(child(path, "properties"), name), errors);
  }
  if (schema.type !== undefined && schema.type !== "") {
    errors.push(forbiddenValue(child(path, "type"), "must be empty to be structural"));
  }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    errors.push(forbiddenValue(child(path, "additionalProperties"), "must be undefined to be structural"));
  }
  if (schema.default !== undefined && schema.default !== null) {
    errors.push(forbiddenValue(child(path, "default"), "must be undefined to be structural"));
  }
  for (const [name, detail] of mustBeEmpty) {
    const value = schema[name];
    const empty = value === undefined || value === false || isEmptyObject(value);
    if (!empty && !(value === "" && (name === "title" || name === "description"))) {
      errors.push(forbiddenValue(child(path, name), detail));
    }
  }
  if (Object.hasOwn(schema.properties ?? {}, "metadata")) {
    const field = at(child(path, "properties"), "metadata");
    errors.push(forbiddenValue(field, "must not be specified in a nested context"));
  }
}

/** Checks that the values which a value validation constrains are defined outside it. */
function checkJunctors(
  validation: Schema,
  structure: Schema | undefined,
  structurePath: string,
  path: string,
  errors: FieldError[],
): void {
  const nested = (schema: Schema | undefined, name: string) =>
    schema === undefined ? undefined : checkComplete(schema, structure, structurePath, child(path, name), errors);
  nested(validation.not, "not");
  validation.allOf?.forEach((schema, index) => {
    nested(schema, at("allOf", index));
  });
  validation.anyOf?.forEach((schema, index) => {
    nested(schema, at("anyOf", index));
  });
  validation.oneOf?.forEach((schema, index) => {
    nested(schema, at("oneOf", index));
  });
}

function checkComplete(
  validation: Schema,
  structure: Schema | undefined,
  structurePath: string,
  path: string,
  errors: FieldError[],
): void {
  if (structure === undefined) {
    errors.push(required(structurePath, `because it is defined in ${path}`));
    return;
  }
  checkJunctors(validation, structure, structurePath, path, errors);
  if (validation.items !== undefined) {
    checkComplete(validation.items, structure.items, child(structurePath, "items"), child(path, "items"), errors);
  }
  for (const [name, nested] of Object.entries(validation.properties ?? {})) {
    const definedAt = at(child(structurePath, "properties"), name);
    const usedAt = at(child(path, "properties"), name);
    const defined = Object.hasOwn(structure.properties ?? {}, name) ? structure.properties?.[name] : undefined;
    if (defined === undefined) errors.push(required(definedAt, `because it is defined in ${usedAt}`));
    else checkComplete(nested, defined, definedAt, usedAt, errors);
  }
}
