// Replaces references by the schemas that they refer to, as controller-gen does (crd/flatten.go).

import { hasChildren, type JSONSchema, mapChildren, visitChildren } from "./model/json-schema.ts";

/** Returns the schema of a reference, with its own references; undefined after an error was reported. */
export type SchemaLookup = (ref: string) => JSONSchema | undefined;

export interface Flattener {
  /** Replaces all references in a schema. The results are in `allOf`, to be merged by `mergeAllOf`. */
  flatten(schema: JSONSchema): JSONSchema;
  /** Does the same for the schema of a reference. */
  flattenType(ref: string): JSONSchema;
}

/**
 * Creates a flattener, which caches the schema of each type.
 *
 * @param onCycle called for a type that contains itself
 * @param spend called before each step; it may throw
 */
export function createFlattener(
  lookup: SchemaLookup,
  onCycle: (ref: string) => void,
  spend: () => void = () => {},
): Flattener {
  const flattened = new Map<string, JSONSchema>();
  const open = new Set<string>();
  const closed = new Map<JSONSchema, boolean>();

  /** Returns whether a schema has no references. Resolved schemas share parts, so the check must not expand them. */
  function isClosed(schema: JSONSchema): boolean {
    if (schema.$ref !== undefined) return false;
    if (!hasChildren(schema)) return true;
    let result = closed.get(schema);
    if (result === undefined) {
      spend();
      result = true;
      visitChildren(schema, (child) => {
        result = isClosed(child) && result;
      });
      closed.set(schema, result === true);
    }
    return result === true;
  }

  function flatten(schema: JSONSchema): JSONSchema {
    spend();
    if (isClosed(schema)) return schema;
    if (schema.$ref === undefined) return mapChildren(schema, flatten);
    const ref = schema.$ref;
    const cached = flattened.get(ref);
    if (cached) {
      if (open.has(ref)) onCycle(ref);
      return preserveFields(cached, schema);
    }
    const unflattened = lookup(ref) ?? {};
    // The placeholder for a type inside itself.
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
      const cached = flattened.get(ref);
      if (cached) return cached;
      const result = flatten(lookup(ref) ?? {});
      flattened.set(ref, result);
      return result;
    },
  };
}

/** Combines a field's own keys with its type's: documentation of the field takes precedence, other keys are merged. */
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
