import { CORE_SCHEMA, DEFAULT_SCHEMA, dump, loadAll, type Schema, Type } from "js-yaml";
import type { Value } from "./values.ts";

const decimal = /^[-+]?\d+$/;

/** Integers keep all of their digits: a CRD may have the bounds of an int64. */
const wholeNumber = new Type("tag:yaml.org,2002:int", {
  kind: "scalar",
  resolve: (text: unknown) => typeof text === "string" && /^[-+]?(\d+|0x[\da-fA-F]+|0o[0-7]+)$/.test(text),
  construct: (text: string) => {
    const value = decimal.test(text)
      ? BigInt(text)
      : BigInt(text.replace(/^[-+]/, "")) * (text.startsWith("-") ? -1n : 1n);
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  },
  predicate: (value: unknown) => typeof value === "bigint" || (Number.isInteger(value) && !Object.is(value, -0)),
  represent: (value: object) => String(value),
});

const withBigIntegers = (schema: Schema) => schema.extend({ implicit: [wholeNumber] });
const [reading, writing] = [withBigIntegers(CORE_SCHEMA), withBigIntegers(DEFAULT_SCHEMA)];

/** The documents of a YAML text, empty ones left out. Throws js-yaml's error. */
export function readDocuments(text: string): readonly Value[] {
  const documents = loadAll(text, undefined, { schema: reading }) as (Value | undefined)[];
  return documents.filter((each): each is Value => each !== null && each !== undefined);
}

/** A value as YAML in blocks, without a line break at its end. What older readers take for something else than text is quoted. */
export function yamlOf(value: Value): string {
  return dump(value, { lineWidth: -1, noRefs: true, quotingType: '"', schema: writing }).trimEnd();
}
