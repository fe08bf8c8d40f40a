import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { shardHash } from "./shard-hash.ts";
import { parseShardSelector } from "./shard-selector.ts";

const uid = "object.metadata.uid";
const [low, middle, end] = ["0x0000000000000000", "0x8000000000000000", "0x10000000000000000"];

it.each([
  ["", 0xcbf29ce484222325n],
  ["a", 0xaf63dc4c8601ec8cn],
  ["foobar", 0x85944171f73967e8n],
])("the hash of %j is FNV-1a with 64 bits", (text, hash) => {
  expect(shardHash(text)).toBe(hash);
});

it("the hash is the same as with integers of any size", () => {
  for (let index = 0; index < 2000; index++) {
    const text = `${index}-${"ab€".repeat(index % 7)}-${(index * 2654435761).toString(16)}`;
    let expected = 0xcbf29ce484222325n;
    for (const byte of Buffer.from(text)) expected = BigInt.asUintN(64, (expected ^ BigInt(byte)) * 0x100000001b3n);
    expect(shardHash(text)).toBe(expected);
  }
});

it("the start of a range belongs to it, and its end doesn't", () => {
  const hash = `0x${shardHash("x").toString(16).padStart(16, "0")}`;
  const next = `0x${(shardHash("x") + 1n).toString(16).padStart(16, "0")}`;
  const matches = (start: string, end: string): boolean =>
    parseShardSelector(`shardRange(${uid}, '${start}', '${end}')`).matches({ uid: "x" });
  expect(matches(hash, next)).toBe(true);
  expect(matches(low, hash)).toBe(false);
  expect(matches(next, end)).toBe(false);
});

it("an object without a namespace has an empty one", () => {
  const selector = (start: string, end: string) =>
    parseShardSelector(`shardRange(object.metadata.namespace, '${start}', '${end}')`);
  expect(selector("0xcbf29ce484222325", "0xcbf29ce484222326").matches({ name: "a" })).toBe(true);
  expect(selector(low, "0xcbf29ce484222325").matches({ name: "a" })).toBe(false);
});

it("the canonical form has the ranges in their order, without other spaces, parentheses and receivers", () => {
  const given = ` (a.shardRange(object.\`metadata\`.uid,"${middle}", r'${end}'))\n||shardRange( ${uid} ,'''${low}''','0x0000000000000001' )`;
  const { text } = parseShardSelector(given);
  expect(text).toBe(`shardRange(${uid}, '${middle}', '${end}') || shardRange(${uid}, '${low}', '0x0000000000000001')`);
  expect(parseShardSelector(text).text).toBe(text);
});

interface Recorded {
  given: string;
  selector?: string;
  error?: string;
}

// Random selectors with the results of k8s.io/apiserver v0.38.0-beta.0.
const file = new URL("../../testdata/shard-selectors.jsonl", import.meta.url);
const recorded = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

it(`${recorded.length} recorded selectors have the canonical forms and messages of kube-apiserver`, () => {
  expect(recorded.length).toBeGreaterThan(300);
  const results = recorded.map(({ given }) => {
    try {
      return { given, selector: parseShardSelector(given).text };
    } catch (error) {
      return { given, error: (error as Error).message };
    }
  });
  expect(results).toEqual(recorded);
});
