import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { cloneJson, equalJson, sortKeys } from "../json/values.ts";
import { type FieldError, fieldErrorMessage } from "../validation/field-error.ts";
import { at, child, invalidValue } from "../validation/paths.ts";
import { coerceMetadata, validateEmbeddedMetadata } from "./embedded-metadata.ts";
import { prune } from "./prune.ts";
import type { Schema } from "./schema.ts";
import { validateSchema } from "./validate.ts";

/** Evaluates the rules of CEL of a default. */
export type DefaultRules = (schema: Schema, value: Json, path: string, isRoot: boolean) => FieldError[];

/** Builds the object around a value inside `metadata`, so that the rules for metadata can be applied. */
type Surround = (value: Json) => JsonObject;

const rootObject: Surround = (value) => ({
  kind: "Validation",
  apiVersion: "validation/v1",
  ...(isObject(value) ? value : {}),
});

interface Context {
  root: Schema;
  surround: Surround;
  insideMetadata: boolean;
  requirePruned: boolean;
  rules: DefaultRules | undefined;
}

/**
 * Checks that the defaults of a schema are valid and have no unknown fields.
 *
 * @param schema - the structural schema of a resource
 * @param path - its path in the definition
 * @param requirePruned - false if the stored definition has defaults with unknown fields
 * @param rules - evaluates the rules of CEL
 * @returns the errors
 */
export function validateDefaults(
  schema: Schema,
  path: string,
  requirePruned: boolean,
  rules?: DefaultRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const root: Schema = { ...schema, "x-kubernetes-embedded-resource": true };
  check(root, path, { root, surround: rootObject, insideMetadata: false, requirePruned, rules }, errors);
  return errors;
}

function check(schema: Schema, path: string, outer: Context, errors: FieldError[]): void {
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const context: Context = embedded ? { ...outer, root: schema, surround: rootObject, insideMetadata: false } : outer;
  if (schema.default !== undefined && schema.default !== null) {
    errors.push(...checkDefault(schema, schema.default, child(path, "default"), context));
  }
  if (schema.items !== undefined) {
    const surround: Surround = (value) => context.surround([value]);
    check(schema.items, child(path, "items"), { ...context, surround }, errors);
  }
  for (const [name, nested] of Object.entries(schema.properties ?? {})) {
    const insideMetadata =
      context.insideMetadata || (embedded && (name === "metadata" || name === "apiVersion" || name === "kind"));
    const surround: Surround = (value) => context.surround({ [name]: value });
    check(nested, at(child(path, "properties"), name), { ...context, surround, insideMetadata }, errors);
  }
}

function checkDefault(schema: Schema, value: Json, path: string, context: Context): FieldError[] {
  const errors: FieldError[] = [];
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  let metadataErrors: FieldError[];
  /** The default without unknown metadata. */
  let checked = value;
  if (context.insideMetadata) {
    const object = context.surround(cloneJson(value));
    const coerced = coerceMetadata(object, context.root, true, false);
    const problems = coerced.error ? [coerced.error] : validateEmbeddedMetadata(object, context.root, true);
    const messages = [...new Set(problems.map(fieldErrorMessage))];
    const joined = messages.length > 1 ? `[${messages.join(", ")}]` : messages[0];
    metadataErrors =
      problems.length > 0 ? [invalidValue(path, sortKeys(value), `must result in valid metadata: ${joined}`)] : [];
  } else {
    checked = cloneJson(value);
    const coerced = coerceMetadata(checked, schema, embedded, false, path);
    if (context.requirePruned) {
      const pruned = cloneJson(value);
      prune(pruned, schema, embedded);
      // The server shows the default as it is after the next check.
      if (!equalJson(pruned, value)) errors.push(invalidValue(path, sortKeys(checked), "must not have unknown fields"));
    }
    metadataErrors = coerced.error ? [coerced.error] : validateEmbeddedMetadata(checked, schema, embedded, path);
  }
  if (metadataErrors.length > 0) return [...errors, ...metadataErrors];
  const invalid = validateSchema(withoutIntOrString(schema), checked, path);
  if (invalid.length > 0) return [...errors, ...invalid];
  return [...errors, ...(context.rules?.(schema, checked, path, schema === context.root) ?? [])];
}

/** The real server doesn't check the type of a default for `x-kubernetes-int-or-string`. */
function withoutIntOrString(schema: Schema): Schema {
  const { "x-kubernetes-int-or-string": _either, ...rest } = schema;
  const copy: Schema = rest;
  if (schema.items !== undefined) copy.items = withoutIntOrString(schema.items);
  if (isObject(schema.additionalProperties)) {
    copy.additionalProperties = withoutIntOrString(schema.additionalProperties as Schema);
  }
  if (schema.properties !== undefined) {
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, withoutIntOrString(property)]),
    );
  }
  return copy;
}

/** Builds the object around a default, and reads the default of such an object. */
interface Surroundings {
  wrap: (value: Json) => Json;
  read: (value: Json) => Json | undefined;
}

/**
 * Removes unknown fields from the defaults of a schema. Definitions may have them in the metadata of embedded resources,
 * and those that are stored already may have them everywhere.
 *
 * @param schema - the structural schema of a resource
 * @returns the schema itself if no default changes, otherwise a copy
 */
export function pruneDefaults(schema: Schema): Schema {
  const root: Schema = { ...schema, "x-kubernetes-embedded-resource": true };
  return pruned(schema, root, { wrap: (value) => value, read: (value) => value });
}

function pruned(schema: Schema, root: Schema, { wrap, read }: Surroundings): Schema {
  const changes: Schema = {};
  if (schema.default !== undefined && schema.default !== null) {
    const object = wrap(cloneJson(schema.default));
    if (isObject(object)) {
      coerceMetadata(object, root, true, true);
      prune(object, root, true);
      const value = read(object);
      if (!equalJson(value, schema.default)) changes.default = value as Json;
    }
  }
  const field = (name: string): Surroundings => ({
    wrap: (value) => wrap({ [name]: value }),
    read: (value) => {
      const object = read(value);
      return isObject(object) ? object[name] : undefined;
    },
  });
  if (isObject(schema.additionalProperties)) {
    const others = pruned(schema.additionalProperties as Schema, root, field("*"));
    if (others !== schema.additionalProperties) changes.additionalProperties = others;
  }
  if (schema.items !== undefined) {
    const items = pruned(schema.items, root, {
      wrap: (value) => wrap([value]),
      read: (value) => {
        const list = read(value);
        return Array.isArray(list) ? list[0] : undefined;
      },
    });
    if (items !== schema.items) changes.items = items;
  }
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, Schema][] => {
    const changed = pruned(property, root, field(name));
    return changed === property ? [] : [[name, changed]];
  });
  if (properties.length > 0) changes.properties = { ...schema.properties, ...Object.fromEntries(properties) };
  return Object.keys(changes).length === 0 ? schema : { ...schema, ...changes };
}
