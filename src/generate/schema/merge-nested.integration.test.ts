// mergeAllOf merges nested branches at once if the result is the same as one by one. These tests compare both.
import { expect, it } from "vitest";
import { expectLinear } from "../../../scripts/test-support/growth.ts";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { mergeAllOf } from "./merge.ts";
import type { JSONSchema } from "./model/json-schema.ts";

const parts: readonly JSONSchema[] = [
  { type: "string" },
  { type: "integer" },
  { format: "a" },
  { format: "b" },
  { minLength: 1 },
  { minLength: 2, pattern: "^a" },
  { pattern: "^b" },
  { enum: ["a"] },
  { enum: ["b"] },
  { required: ["b", "a"] },
  { required: ["c"] },
  { minProperties: 1 },
  { minProperties: 2 },
  { properties: { a: { type: "string" } } },
  { properties: { a: { minLength: 3 }, b: { type: "string" } } },
  { properties: { a: { type: "string", minLength: 3 } } },
  { additionalProperties: { type: "string" } },
  { additionalProperties: { minLength: 1 } },
  { "x-kubernetes-list-type": "set" },
  { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] },
  { "x-kubernetes-validations": [{ rule: "a" }] },
  { "x-kubernetes-validations": [{ rule: "b" }, { rule: "c" }] },
];

/** Returns a branch of random parts and nested branches; and the same branches without nesting. */
function branch(random: (below: number) => number, depth: number): { nested: JSONSchema; flat: JSONSchema[] } {
  const inner = Array.from({ length: depth === 0 ? 0 : random(4) }, () => branch(random, depth - 1));
  const own = Array.from({ length: random(3) }, () => parts[random(parts.length)] ?? {});
  const keys: JSONSchema = Object.assign({}, ...own);
  const nested = inner.length === 0 ? keys : { ...keys, allOf: inner.map((each) => each.nested) };
  return { nested, flat: [...inner.flatMap((each) => each.flat), keys] };
}

it("mergeAllOf returns the same for nested branches as for flat ones", () => {
  const random = seededNumbers(Number(process.env.KUBEWRIGHT_SEED ?? 20261121));
  for (let run = 0; run < 1500; run++) {
    const branches = Array.from({ length: 1 + random(3) }, () => branch(random, 3));
    const text = JSON.stringify(branches.map((each) => each.nested));
    const merge = (allOf: JSONSchema[]) => {
      const conflicts: string[] = [];
      return { schema: mergeAllOf({ allOf }, (message) => conflicts.push(message)), conflicts: conflicts.length > 0 };
    };
    const [nested, flat] = [merge(branches.map((each) => each.nested)), merge(branches.flatMap((each) => each.flat))];
    expect(nested, text).toEqual(flat);
    // The input isn't changed.
    expect(JSON.stringify(branches.map((each) => each.nested))).toBe(text);
  }
});

it("mergeAllOf takes at most linear time for a chain of names", () => {
  const chainOf = (length: number): JSONSchema => {
    let chain: JSONSchema = { type: "object", properties: { a: { type: "string" } } };
    const properties: Record<string, JSONSchema> = {};
    for (let index = 0; index < length; index++) {
      properties[`p${index}`] = chain;
      chain = { allOf: [chain, { type: "object" }] };
    }
    return { type: "object", properties };
  };
  // Not longer: the garbage collector reads the whole stack each time, which is as deep as the chain.
  expectLinear((schema) => mergeAllOf(schema, () => {}), chainOf, { from: 100, to: 1000 });
});
