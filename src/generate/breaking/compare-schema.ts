import type { JSONSchema } from "../schema/model/json-schema.ts";
import type { SchemaChange } from "./change.ts";
import { narrowedConstraints } from "./constraints.ts";

/** Returns the incompatible changes of a schema and all schemas inside it. `field` is its path, empty for the root. */
export function compareSchemas(before: JSONSchema, after: JSONSchema, field: string): SchemaChange[] {
  const place = field || ".";
  const changed = typeChange(before, after);
  // After a change of type, there is nothing left to compare.
  if (changed !== undefined) return [{ id: "type-changed", field: place, message: changed }];
  return [
    ...narrowedConstraints(before, after).map((change) => ({ ...change, field: place })),
    ...fields(before, after, field),
    ...required(before, after, field),
    ...(before.items && after.items ? compareSchemas(before.items, after.items, `${field}[*]`) : []),
    ...mapValues(before, after, field),
  ];
}

/** Returns the type of a value; any value if the schema has no type. */
function kindOf(schema: JSONSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer or string";
  if (schema.type === "object" && schema.additionalProperties !== undefined && !schema.properties) return "map";
  return schema.type ?? "anything";
}

function typeChange(before: JSONSchema, after: JSONSchema): string | undefined {
  const [old, now] = [kindOf(before), kindOf(after)];
  if (old === now || now === "anything") return undefined;
  // An object without fields may become one with fields, or a map: it could only contain unknown fields.
  const open = (schema: JSONSchema) => schema.type === "object" && !schema.properties && !schema.additionalProperties;
  if (open(before) && now === "map") return undefined;
  if (old === "map" && open(after) && after["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
  return `was ${old} and is ${now}`;
}

function fields(before: JSONSchema, after: JSONSchema, field: string): SchemaChange[] {
  const keeps = after["x-kubernetes-preserve-unknown-fields"] === true || after.additionalProperties !== undefined;
  return Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
    const here = `${field}.${name}`;
    const now = own(after.properties, name);
    if (now) return compareSchemas(old, now, here);
    return keeps ? [] : [{ id: "field-removed" as const, field: here, message: "was removed" }];
  });
}

/** Reports fields that are now required, unless they have a default: a field with a default is always present. */
function required(before: JSONSchema, after: JSONSchema, field: string): SchemaChange[] {
  const old = new Set(before.required);
  return (after.required ?? [])
    .filter((name) => !old.has(name) && own(after.properties, name)?.default === undefined)
    .map((name) => {
      const isNew = own(before.properties, name) === undefined;
      const message = isNew ? "is new and required" : "is now required";
      return { id: "field-required", field: `${field}.${name}`, message };
    });
}

function mapValues(before: JSONSchema, after: JSONSchema, field: string): SchemaChange[] {
  const { additionalProperties: old } = before;
  const { additionalProperties: now } = after;
  if (typeof old === "object" && typeof now === "object") return compareSchemas(old, now, `${field}[*]`);
  const keeps = after["x-kubernetes-preserve-unknown-fields"] === true;
  if (old !== undefined && now === undefined && !keeps) {
    return [{ id: "field-removed", field: `${field}[*]`, message: "other keys are no longer allowed" }];
  }
  if (old === true && typeof now === "object") {
    return [{ id: "type-changed", field: `${field}[*]`, message: `was anything and is ${kindOf(now)}` }];
  }
  return [];
}

function own(properties: JSONSchema["properties"], name: string): JSONSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
