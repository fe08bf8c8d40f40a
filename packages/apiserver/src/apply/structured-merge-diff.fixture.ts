import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { load } from "js-yaml";
import { type FieldFilter, type FieldPattern, FieldSet } from "./typed/field-set.ts";
import type { ListType, MapType, ScalarKind, ValueType } from "./typed/value-type.ts";

/** Returns the rows of a file that `conformance/api-data/structured-merge-diff` extracted. */
export function readRows<Row>(name: string): Row[] {
  const text = readFileSync(new URL(`../../testdata/structured-merge-diff/${name}`, import.meta.url), "utf8");
  return name.endsWith(".jsonl")
    ? text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Row)
    : (JSON.parse(text) as Row[]);
}

const schemas = readRows<string>("schemas.json").map((text) => load(text) as JsonObject);
const cache = new Map<string, ValueType>();

/** Returns a named type of a schema of structured-merge-diff. */
export function smdType(schema: number, name: string): ValueType {
  const key = `${schema} ${name}`;
  let type = cache.get(key);
  if (type === undefined) {
    const types = schemas[schema]?.types as JsonObject[];
    const named = types.find((candidate) => candidate.name === name);
    if (named === undefined) throw new Error(`no type ${name} in schema ${schema}`);
    type = atom(schema, named, undefined);
    cache.set(key, type);
  }
  return type;
}

function reference(schema: number, ref: Json | undefined): ValueType | undefined {
  if (!isObject(ref) || Object.keys(ref).length === 0) return undefined;
  const relationship = ref.elementRelationship as string | undefined;
  if (typeof ref.namedType !== "string") return atom(schema, ref, relationship);
  if (relationship === undefined) return smdType(schema, ref.namedType);
  const types = schemas[schema]?.types as JsonObject[];
  return atom(schema, types.find(({ name }) => name === ref.namedType) as JsonObject, relationship);
}

function atom(schema: number, definition: JsonObject, relationship: string | undefined): ValueType {
  const type: { scalar?: ScalarKind; list?: ListType; map?: MapType } = {};
  if (typeof definition.scalar === "string") type.scalar = definition.scalar as ScalarKind;
  if (isObject(definition.list)) {
    const { elementType, elementRelationship, keys } = definition.list;
    type.list = {
      atomic: (relationship ?? elementRelationship) === "atomic",
      keys: (keys ?? []) as string[],
      get element(): ValueType {
        return reference(schema, elementType) as ValueType;
      },
    };
  }
  if (isObject(definition.map)) type.map = mapType(schema, definition.map, relationship);
  return type;
}

function mapType(schema: number, map: JsonObject, relationship: string | undefined): MapType {
  const fields = new Map((map.fields as JsonObject[] | undefined)?.map((field) => [field.name as string, field]));
  const elementType = map.elementType;
  return {
    atomic: (relationship ?? map.elementRelationship) === "atomic",
    get element(): ValueType | undefined {
      return reference(schema, elementType);
    },
    deduced:
      fields.size === 0 &&
      isObject(elementType) &&
      (elementType.namedType === "__untyped_deduced_" || elementType.scalar === "untyped"),
    field(name) {
      const field = fields.get(name);
      return field && reference(schema, field.type);
    },
    fieldDefault: (name) => fields.get(name)?.default,
  };
}

/** Returns the filter that a row describes. */
export function smdFilter(row: JsonObject): FieldFilter {
  if (typeof row.exclude === "string") {
    const excluded = FieldSet.fromFieldsV1(JSON.parse(row.exclude) as Json);
    return (set) => set.recursiveDifference(excluded);
  }
  const included = pattern(row.include as Json);
  return (set) => set.matching(included);
}

function pattern(row: Json): FieldPattern {
  if (!isObject(row)) return "any";
  const { "*": any, ...others } = row;
  const elements = new Map(Object.entries(others).map(([id, below]) => [id, pattern(below as Json)]));
  return any === undefined ? { elements } : { anyElement: pattern(any), elements };
}
