import { cloneJson } from "../../json/clone.ts";
import { isJsonObject, type JsonObject, setField } from "../../json/object.ts";
import { additionalOf, fieldOf, itemsOf, type Schema } from "./schema.ts";

const OF_EVERY_OBJECT: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Removes, in place, nulls that the schema doesn't allow and has no default for. */
export function pruneNulls(value: unknown, schema: Schema | undefined): void {
  if (Array.isArray(value)) for (const item of value) pruneNulls(item, itemsOf(schema));
  if (!isJsonObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const own = fieldOf(schema, name);
    if (isForbiddenNull(field, own) && own?.default === undefined) delete value[name];
    else pruneNulls(field, own);
  }
}

/** Sets, in place, the defaults of a schema, from the outside in. */
export function fillDefaults(value: unknown, schema: Schema | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const [index, item] of value.entries()) {
      if (isForbiddenNull(item, items)) value[index] = cloneJson(items?.default ?? null);
      fillDefaults(value[index], items);
    }
  }
  if (!isJsonObject(value)) return;
  for (const [name, own] of Object.entries(schema.properties ?? {})) {
    const hasNone = !Object.hasOwn(value, name) || value[name] === undefined || isForbiddenNull(value[name], own);
    if (own.default !== undefined && own.default !== null && hasNone) setField(value, name, cloneJson(own.default));
  }
  for (const name of Object.keys(value)) {
    const own = fieldOf(schema, name);
    if (isForbiddenNull(value[name], own) && !Object.hasOwn(schema.properties ?? {}, name)) {
      setField(value, name, cloneJson(own?.default ?? null));
    }
    fillDefaults(value[name], own);
  }
}

function isForbiddenNull(value: unknown, schema: Schema | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}

/** Removes, in place, fields that are missing from the schema, and returns their sorted paths. */
export function pruneUnknown(object: JsonObject, schema: Schema): string[] {
  const unknown: string[] = [];
  prune(object, { ...schema, "x-kubernetes-embedded-resource": true }, "", unknown);
  return unknown.sort();
}

function prune(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): void {
  if (schema?.["x-kubernetes-preserve-unknown-fields"]) pruneBelow(value, schema, path, unknown);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) prune(item, itemsOf(schema), `${path}[${index}]`, unknown);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      if (isOfEveryObject(schema, name)) continue;
      const own = fieldOf(schema, name);
      if (own) prune(value[name], own, join(path, name), unknown);
      else {
        if (path !== "" || !OF_EVERY_OBJECT.has(name)) unknown.push(join(path, name));
        delete value[name];
      }
    }
  }
}

// Known fields are still pruned by their schemas if the unknown ones are preserved.
function pruneBelow(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): void {
  if (!schema) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) pruneBelow(item, itemsOf(schema), `${path}[${index}]`, unknown);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const own = isOfEveryObject(schema, name) ? undefined : fieldOf(schema, name);
      if (own && (Object.hasOwn(schema.properties ?? {}, name) || additionalOf(schema))) {
        prune(value[name], own, join(path, name), unknown);
      }
    }
  }
}

function isOfEveryObject(schema: Schema | undefined, name: string): boolean {
  return schema?.["x-kubernetes-embedded-resource"] === true && OF_EVERY_OBJECT.has(name);
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
