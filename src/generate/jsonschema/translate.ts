// Translates structural schemas of Kubernetes to JSON Schema. Both have most keywords in common, but not their meaning: the API
// server removes unknown fields, sets defaults before it validates, and accepts null before it looks at other keywords.
import { valueProblems } from "../lint/model/validate.ts";
import type { JSONSchema, JSONValue } from "../schema/model/json-schema.ts";
import type { Draft07 } from "./draft-07.ts";
import { formatRule } from "./format-patterns.ts";

/** The options of a translation. */
export interface TranslationOptions {
  /** Whether fields that the API server would remove are errors. */
  readonly strict: boolean;
  readonly descriptions: boolean;
  /** Returns a pattern in JavaScript; undefined to omit it. */
  pattern(text: string): string | undefined;
}

/** The names of shared definitions that a translated schema refers to. */
export const sharedDefinitions = { embeddedResource: "EmbeddedResource", noFields: "NoFields" } as const;

const reference = (name: string): Draft07 => ({ $ref: `#/definitions/${name}` });

/** Translates a structural schema. */
export function translate(schema: JSONSchema, options: TranslationOptions): Draft07 {
  const result: Draft07 = {};
  describe(schema, result, options);
  const type = typeOf(schema);
  if (type !== undefined) result.type = type;
  values(schema, result, options);
  if (schema.items) result.items = translate(itemsOf(schema, schema.items), options);
  fields(schema, result, options);
  const branches = branchesOf(schema, schema, options);
  // The API server accepts null before it looks at the branches.
  if (schema.nullable && Object.keys(branches).length > 0) restrict(result, { anyOf: [{ type: "null" }, branches] });
  else merge(result, branches);
  if (schema["x-kubernetes-list-type"] === "set") result.uniqueItems = true;
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith("x-kubernetes-")) result[key as `x-kubernetes-${string}`] = value;
  }
  return result;
}

function describe(schema: JSONSchema, result: Draft07, { descriptions }: TranslationOptions): void {
  const { title, description, example } = schema;
  if (title !== undefined) result.title = title;
  if (descriptions && description !== undefined) result.description = description;
  if (schema.default !== undefined) result.default = schema.default;
  if (example !== undefined) result.examples = [example];
}

function typeOf(schema: JSONSchema): string | readonly string[] | undefined {
  const { type, nullable } = schema;
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string", ...(nullable ? ["null"] : [])];
  if (type === undefined) return undefined;
  return nullable ? [type, "null"] : type;
}

/** A list that preserves unknown fields also preserves those of its elements, but not those further inside. */
function itemsOf(schema: JSONSchema, items: JSONSchema): JSONSchema {
  return schema["x-kubernetes-preserve-unknown-fields"]
    ? { ...items, "x-kubernetes-preserve-unknown-fields": true }
    : items;
}

/** Translates the declared metadata of a resource: rules for names. All other fields of ObjectMeta are valid, too. */
export function metadataRules(schema: JSONSchema, options: TranslationOptions): Draft07 {
  return translate(schema, { ...options, strict: false });
}

/** Adds the properties, and the rules for other fields. */
function fields(schema: JSONSchema, result: Draft07, options: TranslationOptions): void {
  const { type, properties, additionalProperties, required } = schema;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const translated = entriesOf(properties).map(
    ([name, child]) =>
      [name, isResource && name === "metadata" ? metadataRules(child, options) : translate(child, options)] as const,
  );
  const names = isResource ? ["apiVersion", "kind", "metadata"].filter((name) => !properties?.[name]) : [];
  const all = [...translated, ...names.map((name) => [name, {}] as const)];
  if (all.length > 0) result.properties = Object.fromEntries(all);
  const needed = withoutDefaults(required, schema);
  if (needed.length > 0) result.required = needed;
  if (typeof additionalProperties === "object") {
    result.additionalProperties = translate(additionalProperties, options);
  } else if (additionalProperties === true) {
    // Values without a schema lose all fields of objects in them.
    result.additionalProperties = options.strict ? reference(sharedDefinitions.noFields) : true;
  } else if (additionalProperties === false) {
    result.additionalProperties = false;
  } else if (options.strict && (type === "object" || properties) && !schema["x-kubernetes-preserve-unknown-fields"]) {
    result.additionalProperties = false;
  }
  if (isResource) restrict(result, reference(sharedDefinitions.embeddedResource));
  const { minProperties, maxProperties } = schema;
  if (maxProperties !== undefined) result.maxProperties = maxProperties;
  const defaults = entriesOf(properties).filter(([, child]) => child.default !== undefined).length;
  if (minProperties !== undefined && minProperties > defaults) result.minProperties = minProperties;
}

/** Adds the limits of numbers, strings and lists, the pattern, the format and the enumeration. */
function values(schema: JSONSchema, result: Draft07, options: TranslationOptions): void {
  const { minLength, maxLength, minItems, maxItems, uniqueItems, multipleOf, pattern, format } = schema;
  numbers(schema, result);
  const given = { multipleOf, minLength, maxLength, minItems, maxItems, uniqueItems, enum: schema.enum };
  for (const [key, value] of Object.entries(given)) if (value !== undefined) Object.assign(result, { [key]: value });
  const rule = format !== undefined && (schema.type ?? "string") === "string" ? formatRule(format) : undefined;
  if (rule?.maxLength !== undefined) result.maxLength = Math.min(rule.maxLength, Number(maxLength ?? rule.maxLength));
  const own = pattern === undefined || pattern === "" ? undefined : options.pattern(pattern);
  const [first, second] = [own, rule?.pattern].filter((each) => each !== undefined);
  if (first !== undefined) result.pattern = first;
  if (second !== undefined) restrict(result, { pattern: second });
}

/** The ranges of integers by format. Those without a format have 64 bits, too. */
const int32 = 2 ** 31;
const int64 = 2 ** 63;
const largestFloat = 3.4028235677973366e38;

function numbers({ type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JSONSchema, result: Draft07) {
  if (minimum !== undefined) result[exclusiveMinimum ? "exclusiveMinimum" : "minimum"] = minimum;
  if (maximum !== undefined) result[exclusiveMaximum ? "exclusiveMaximum" : "maximum"] = maximum;
  if (type === "integer") {
    const limit = format === "int32" ? int32 : int64;
    if (minimum === undefined || minimum < -limit) result.minimum = -limit;
    if (maximum === undefined || maximum >= limit) result.exclusiveMaximum = limit;
  } else if (type === "number" && format === "float") {
    if (minimum === undefined) result.exclusiveMinimum = -largestFloat;
    if (maximum === undefined) result.exclusiveMaximum = largestFloat;
  }
}

/**
 * Translates the branches of a schema, which restrict values further.
 *
 * @param structural - the structural schema of the same value, with its defaults
 */
function branchesOf(schema: JSONSchema, structural: JSONSchema, options: TranslationOptions): Draft07 {
  const result: Draft07 = {};
  const each = (branches: readonly JSONSchema[]) => branches.map((branch) => restriction(branch, structural, options));
  for (const key of ["allOf", "anyOf", "oneOf"] as const) {
    const branches = schema[key];
    if (branches && branches.length > 0) result[key] = each(branches);
  }
  if (schema.not) result.not = restriction(schema.not, structural, options);
  return result;
}

/** Translates a schema that is part of a branch. */
function restriction(schema: JSONSchema, structural: JSONSchema, options: TranslationOptions): Draft07 {
  const result: Draft07 = {};
  const type = typeOf(schema);
  if (type !== undefined) result.type = type;
  values(schema, result, options);
  const { properties, items, required, minProperties, maxProperties } = schema;
  if (items) result.items = restriction(items, structural.items ?? {}, options);
  const inner = entriesOf(properties);
  const childOf = (name: string) => propertyOf(structural, name);
  if (properties) {
    result.properties = Object.fromEntries(
      inner.map(([name, child]) => [name, restriction(child, childOf(name), options)]),
    );
  }
  // An absent field has its default, which must fit, too.
  const unfit = inner.filter(([name, child]) => {
    const value = childOf(name).default;
    return value !== undefined && valueProblems(value, child, "fine").length > 0;
  });
  const needed = [...withoutDefaults(required, structural), ...unfit.map(([name]) => name)];
  if (needed.length > 0) result.required = [...new Set(needed)];
  if (minProperties !== undefined) result.minProperties = minProperties;
  if (maxProperties !== undefined) result.maxProperties = maxProperties;
  if (typeof schema.additionalProperties === "object") {
    const others = structural.additionalProperties;
    result.additionalProperties = restriction(
      schema.additionalProperties,
      typeof others === "object" ? others : {},
      options,
    );
  }
  return merge(result, branchesOf(schema, structural, options));
}

function propertyOf({ properties }: JSONSchema, name: string): JSONSchema {
  return (properties && Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}

/** Returns the required fields that are still missing after the API server has set the defaults. */
function withoutDefaults(required: readonly string[] | undefined, structural: JSONSchema): string[] {
  return (required ?? []).filter((name) => propertyOf(structural, name).default === undefined);
}

function entriesOf(properties: JSONSchema["properties"]): [string, JSONSchema][] {
  return Object.entries(properties ?? {});
}

/** Adds a schema that values must match, too. */
function restrict(result: Draft07, more: Draft07): void {
  result.allOf = [...(result.allOf ?? []), more];
}

function merge(result: Draft07, { allOf, ...others }: Draft07): Draft07 {
  for (const branch of allOf ?? []) restrict(result, branch);
  return Object.assign(result, others);
}

/** Returns the patterns of a schema and its branches, without those of properties and elements. */
export function patternsOf({ pattern, allOf = [], anyOf = [], oneOf = [], not }: JSONSchema): string[] {
  const inner = [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])];
  return [...(pattern === undefined || pattern === "" ? [] : [pattern]), ...inner.flatMap(patternsOf)];
}

/** Whether a translated schema refers to a definition. */
export function refersTo(schema: Draft07, name: string): boolean {
  const text = reference(name).$ref;
  const visit = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    ((value as Draft07).$ref === text || Object.values(value as Record<string, JSONValue>).some(visit));
  return visit(schema);
}
