import { isDeepStrictEqual } from "node:util";
import type { Position } from "../source/model.ts";
import type { SchemaBuilder } from "./builder.ts";
import type { JSONSchema } from "./json-schema.ts";

type Properties = { [name: string]: JSONSchema };

/**
 * A union of objects as a structural schema: all their properties together, and a `oneOf` that says by required
 * properties and fixed values which of the objects it is.
 */
export function objectUnion(builder: SchemaBuilder, at: Position, variants: readonly JSONSchema[]): JSONSchema {
  const properties: Properties = {};
  const differing = new Set<string>();
  for (const variant of variants) {
    for (const [name, schema] of Object.entries(variant.properties ?? {})) {
      const before = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!before) properties[name] = schema;
      else if (sameShape(before, schema)) continue;
      else if (before.enum && schema.enum && before.type === schema.type) {
        differing.add(name);
        properties[name] = { ...before, enum: [...new Set([...before.enum, ...schema.enum])] };
      } else {
        builder.error(
          "unsupported-type",
          at,
          `the objects of the union disagree on the property "${name}"`,
          "give it one type, or different names",
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

/**
 * Leaves out what another branch allows anyway: `{ a } | { a, b }` is `{ a }`. Where that was needed, an object may be more than one
 * of them at once.
 */
function withoutImplied(branches: readonly JSONSchema[]): { all: readonly JSONSchema[]; apart: boolean } {
  const all = branches.filter(
    (one, index) =>
      !branches.some((other, at) => at !== index && implies(one, other) && (!implies(other, one) || at < index)),
  );
  return { all, apart: all.length === branches.length };
}

/** Whether what passes the one branch passes the other, too. */
function implies(one: JSONSchema, other: JSONSchema): boolean {
  const required = (other.required ?? []).every((name) => one.required?.includes(name));
  return (
    required &&
    Object.entries(other.properties ?? {}).every(([name, { enum: allowed = [] }]) => {
      const values = one.properties?.[name]?.enum;
      return values?.every((value) => allowed.includes(value)) === true;
    })
  );
}

/** What tells one object of a union from the others. Branches may hold no types and no descriptions. */
function branch(variant: JSONSchema, differing: ReadonlySet<string>): JSONSchema {
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
