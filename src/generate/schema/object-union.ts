import { isDeepStrictEqual } from "node:util";
import type { Position } from "../source/model.ts";
import type { SchemaBuilder } from "./builder.ts";
import { withoutImplied } from "./implied.ts";
import type { JSONSchema, JSONValue } from "./model/json-schema.ts";

/** Distinct values, in order. */
interface Values {
  readonly list: JSONValue[];
  readonly all: Set<JSONValue>;
}

function valuesOf(values: readonly JSONValue[]): Values {
  const all = new Set(values);
  return { list: [...all], all };
}

function addValues({ list, all }: Values, more: readonly JSONValue[]): void {
  for (const value of more) {
    if (all.has(value)) continue;
    all.add(value);
    list.push(value);
  }
}

type Properties = { [name: string]: JSONSchema };

/**
 * Returns the structural schema of a union of objects: all of their properties, and a `oneOf` that distinguishes the
 * objects. It distinguishes them by required properties and fixed values.
 */
export function objectUnion(builder: SchemaBuilder, at: Position, variants: readonly JSONSchema[]): JSONSchema {
  const properties: Properties = {};
  const differing = new Map<string, Values>();
  for (const variant of variants) {
    for (const [name, schema] of Object.entries(variant.properties ?? {})) {
      const before = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!before) properties[name] = schema;
      else if (sameShape(before, schema)) continue;
      else if (before.enum && schema.enum && before.type === schema.type) {
        // Modified in place: each variant of a large union adds a value.
        const values = differing.get(name) ?? valuesOf(before.enum);
        if (!differing.has(name)) properties[name] = { ...before, enum: values.list };
        differing.set(name, values);
        addValues(values, schema.enum);
      } else {
        builder.error(
          "unsupported-type",
          at,
          `the objects of the union have different types for the property "${name}"`,
          "use one type, or different names",
        );
      }
    }
  }
  const required = variants.map((variant) => new Set(variant.required ?? []));
  const common = [...(required[0] ?? [])].filter((name) => required.every((names) => names.has(name)));
  const branches = withoutImplied(variants.map((variant) => branch(variant, differing)));
  return {
    type: "object",
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(common.length > 0 ? { required: common } : {}),
    ...(branches.all.length > 1 ? { [branches.apart ? "oneOf" : "anyOf"]: branches.all } : {}),
  };
}

/** Returns the conditions that distinguish an object of a union. They must not contain types or descriptions. */
function branch(variant: JSONSchema, differing: ReadonlyMap<string, unknown>): JSONSchema {
  const fixed = Object.entries(variant.properties ?? {}).filter(([name]) => differing.has(name));
  return {
    ...(fixed.length > 0
      ? { properties: Object.fromEntries(fixed.map(([name, schema]) => [name, { enum: schema.enum ?? [] }])) }
      : {}),
    ...(variant.required && variant.required.length > 0 ? { required: variant.required } : {}),
  };
}

function sameShape(a: JSONSchema, b: JSONSchema): boolean {
  return isDeepStrictEqual({ ...a, description: "" }, { ...b, description: "" });
}
