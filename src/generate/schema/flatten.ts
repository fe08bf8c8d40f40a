// How controller-gen replaces references by what they refer to (crd/flatten.go).

import { type JSONSchema, mapChildren } from "./json-schema.ts";

/** Gives the schema behind a reference, its own references still in place; undefined after an error was reported. */
export type SchemaLookup = (ref: string) => JSONSchema | undefined;

export interface Flattener {
  /** Replaces all references in a schema. The results are wrapped in `allOf`, for `mergeAllOf` to merge. */
  flatten(schema: JSONSchema): JSONSchema;
  /** The same for the schema behind a reference. */
  flattenType(ref: string): JSONSchema;
}

/** Makes a flattener; what it knows of a type is kept for the next use. `onCycle` is told where a type contains itself. */
export function createFlattener(lookup: SchemaLookup, onCycle: (ref: string) => void): Flattener {
  const flattened = new Map<string, JSONSchema>();
  const open = new Set<string>();

  function flatten(schema: JSONSchema): JSONSchema {
    if (schema.$ref === undefined) return mapChildren(schema, flatten);
    const ref = schema.$ref;
    const known = flattened.get(ref);
    if (known) {
      if (open.has(ref)) onCycle(ref);
      return preserveFields(known, schema);
    }
    const unflattened = lookup(ref) ?? {};
    // A type that is met again inside itself is cut off there.
    flattened.set(ref, {});
    open.add(ref);
    const result = flatten(unflattened);
    open.delete(ref);
    flattened.set(ref, result);
    return preserveFields(result, schema);
  }

  return {
    flatten,
    flattenType(ref) {
      const known = flattened.get(ref);
      if (known) return known;
      const result = flatten(lookup(ref) ?? {});
      flattened.set(ref, result);
      return result;
    },
  };
}

/** Puts a field's own keys beside its type's: documentation of the field wins, all else is left to the merge. */
function preserveFields(type: JSONSchema, field: JSONSchema): JSONSchema {
  const { $ref: _, description, title, externalDocs, example, ...constraints } = field;
  const result: JSONSchema = { allOf: [type, constraints] };
  const documentation = {
    description: description ?? type.description,
    title: title ?? type.title,
    externalDocs: externalDocs ?? type.externalDocs,
    example: example === undefined ? type.example : example,
  };
  for (const [key, value] of Object.entries(documentation)) {
    if (value !== undefined) Object.assign(result, { [key]: value });
  }
  return result;
}
