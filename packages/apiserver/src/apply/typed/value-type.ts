import type { Json } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { objectProperties } from "./object-meta.ts";

/** The scalars that a type accepts. */
export type ScalarKind = "string" | "numeric" | "boolean" | "untyped";

/** A list: atomic, a set (without keys) or a map by keys. */
export interface ListType {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly element: ValueType;
}

/** An object: fields of their own types, and other keys of one type, if they are allowed. */
export interface MapType {
  readonly atomic: boolean;
  readonly element: ValueType | undefined;
  /** Whether the type only results from the values, so that changes of the schema don't apply to it. */
  readonly deduced: boolean;
  field(name: string): ValueType | undefined;
  fieldDefault(name: string): Json | undefined;
}

/** How values merge: as scalars, lists or objects. A type with several of them accepts each. */
export interface ValueType {
  readonly scalar?: ScalarKind | undefined;
  readonly list?: ListType | undefined;
  readonly map?: MapType | undefined;
}

const noField = (): undefined => undefined;

/** Any value, which is always replaced as a whole. */
export const atomicType: ValueType = {
  scalar: "untyped",
  get list(): ListType {
    return atomicList;
  },
  get map(): MapType {
    return atomicMap;
  },
};
const atomicList: ListType = { atomic: true, keys: [], element: atomicType };
const atomicMap: MapType = { atomic: true, element: atomicType, deduced: false, field: noField, fieldDefault: noField };

/** Any value. Objects merge by keys, and lists are replaced. */
export const deducedType: ValueType = {
  scalar: "untyped",
  list: atomicList,
  get map(): MapType {
    return deducedMap;
  },
};
const deducedMap: MapType = {
  atomic: false,
  element: deducedType,
  deduced: true,
  field: noField,
  fieldDefault: noField,
};

const anyScalar: ValueType = { scalar: "untyped" };
const scalars: Record<string, ValueType> = {
  string: { scalar: "string" },
  numeric: { scalar: "numeric" },
  boolean: { scalar: "boolean" },
};

const strict = new WeakMap<Schema, ValueType>();
const preserving = new WeakMap<Schema, ValueType>();

/**
 * Returns the type of a schema's values. Each schema is compiled once, and its parts when they are needed.
 *
 * @param schema - the schema
 * @param preserveUnknownFields - whether a schema around it preserves unknown fields
 * @returns the type
 */
export function typeOfSchema(schema: Schema, preserveUnknownFields = false): ValueType {
  const preserve = preserveUnknownFields || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const cache = preserve ? preserving : strict;
  let type = cache.get(schema);
  if (type === undefined) {
    type = compile(schema, preserve);
    cache.set(schema, type);
  }
  return type;
}

function compile(schema: Schema, preserve: boolean): ValueType {
  switch (schema.type) {
    case undefined:
    case "":
      return isScalarUnion(schema)
        ? anyScalar
        : { scalar: "untyped", list: listOf(schema, preserve), map: mapOf(schema, preserve) };
    case "object":
      return { map: mapOf(schema, preserve) };
    case "array":
      return { list: listOf(schema, preserve) };
    case "integer":
    case "number":
      return scalars.numeric as ValueType;
    case "boolean":
      return scalars.boolean as ValueType;
    case "string":
      return schema.format && schema.format !== "byte" ? anyScalar : (scalars.string as ValueType);
    default:
      return anyScalar;
  }
}

/** Quantities, whose model is published as a string or a number, accept only scalars. */
function isScalarUnion({ oneOf, format }: Schema): boolean {
  return oneOf?.length === 2 && format === undefined && oneOf[0]?.type === "string" && oneOf[1]?.type === "number";
}

function listOf(schema: Schema, preserve: boolean): ListType {
  const { atomic, keys } = listRelationship(schema);
  const items = schema.items;
  return {
    atomic,
    keys,
    get element(): ValueType {
      return items === undefined ? atomicType : typeOfSchema(items, preserve);
    },
  };
}

function listRelationship(schema: Schema): { atomic: boolean; keys: readonly string[] } {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return { atomic: false, keys: [] };
    case "map":
      return { atomic: false, keys: schema["x-kubernetes-list-map-keys"] ?? [] };
    case "atomic":
      return { atomic: true, keys: [] };
    default: {
      const strategy = schema["x-kubernetes-patch-strategy"];
      if (strategy !== "merge" && strategy !== "merge,retainKeys") return { atomic: true, keys: [] };
      const key = schema["x-kubernetes-patch-merge-key"];
      return { atomic: false, keys: key === undefined ? [] : [key] };
    }
  }
}

/**
 * Returns the type of custom resources with a schema.
 *
 * @param schema - the structural schema of the whole object
 * @returns the type, in which `apiVersion`, `kind` and `metadata` have the types that they have in every object
 */
export function typeOfCustomObject(schema: Schema): ValueType {
  return { map: mapOf(schema, schema["x-kubernetes-preserve-unknown-fields"] === true, true) };
}

function mapOf(
  schema: Schema,
  preserve: boolean,
  isObject = schema["x-kubernetes-embedded-resource"] === true,
): MapType {
  const properties = isObject ? { ...schema.properties, ...objectProperties } : (schema.properties ?? {});
  const fields = new Map<string, ValueType>();
  const additional = schema.additionalProperties;
  const open = additional === undefined && (preserve || Object.keys(properties).length === 0);
  const own = (name: string): Schema | undefined => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const element = (): ValueType | undefined => {
    if (typeof additional === "object") return typeOfSchema(additional, preserve);
    return open || additional === true ? deducedType : undefined;
  };
  return {
    atomic: schema["x-kubernetes-map-type"] === "atomic",
    get element(): ValueType | undefined {
      return element();
    },
    get deduced(): boolean {
      const type = element();
      return type?.scalar === "untyped" && type !== atomicType && Object.keys(properties).length === 0;
    },
    field(name) {
      let type = fields.get(name);
      if (type === undefined) {
        const property = own(name);
        if (property === undefined) return undefined;
        // Metadata is a model of its own, in which no unknown fields are preserved.
        type = typeOfSchema(property, preserve && property !== objectProperties[name]);
        fields.set(name, type);
      }
      return type;
    },
    fieldDefault: (name) => own(name)?.default,
  };
}
