import { describe, expect, it } from "vitest";
import { mostProcessorTime, processorTime } from "../../../../../scripts/test-support/processor-time.ts";
import { jsonPatch } from "../../client/patch.ts";
import { parseJson } from "../../json/parse.ts";
import { seededRandom } from "../../json/random.fixture.ts";
import { stringifyJson } from "../../json/stringify.ts";
import { fakeClient } from "../../testing/index.ts";
import { createPatch } from "./create-patch.ts";

describe("createPatch", () => {
  it.each([
    ["returns no operation without a change", { a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, []],
    ["adds a new field", { spec: {} }, { spec: { color: "red" } }, [{ op: "add", path: "/spec/color", value: "red" }]],
    ["replaces a changed value", { a: 1 }, { a: 2 }, [{ op: "replace", path: "/a", value: 2 }]],
    ["removes a missing field", { a: 1, b: 2 }, { b: 2 }, [{ op: "remove", path: "/a" }]],
    ["removes an undefined field", { a: 1 }, { a: undefined, b: undefined }, [{ op: "remove", path: "/a" }]],
    ["replaces a value by null", { a: 1 }, { a: null }, [{ op: "replace", path: "/a", value: null }]],
    ["replaces null by a value", { a: null }, { a: 1 }, [{ op: "replace", path: "/a", value: 1 }]],
    ["replaces an object by a list", { a: {} }, { a: [] }, [{ op: "replace", path: "/a", value: [] }]],
    ["escapes / and ~ in keys", { "a/b": 1 }, { "a/b": 1, "c~/d": 2 }, [{ op: "add", path: "/c~0~1d", value: 2 }]],
    [
      "adds items at the end of a list",
      { a: [1] },
      { a: [1, 2, 3] },
      [
        { op: "add", path: "/a/1", value: 2 },
        { op: "add", path: "/a/2", value: 3 },
      ],
    ],
    ["adds an item at the start of a list", { a: [2, 3] }, { a: [1, 2, 3] }, [{ op: "add", path: "/a/0", value: 1 }]],
    [
      "removes items from the end of a list",
      { a: [1, 2, 3, 4] },
      { a: [1, 4] },
      [
        { op: "remove", path: "/a/2" },
        { op: "remove", path: "/a/1" },
      ],
    ],
    [
      "changes a field of a list item",
      { a: [{ n: 1, x: 1 }, { n: 2 }] },
      { a: [{ n: 1, x: 2 }, { n: 2 }] },
      [{ op: "replace", path: "/a/0/x", value: 2 }],
    ],
    ["compares a date as text", { a: "2020-01-01T00:00:00.000Z" }, { a: new Date("2020-01-01T00:00:00Z") }, []],
    [
      "converts values that JSON can't represent",
      { a: 1, b: 1 },
      { a: () => 1, b: Number.NaN },
      [
        { op: "remove", path: "/a" },
        { op: "replace", path: "/b", value: null },
      ],
    ],
  ])("%s", (_name, before, after, expected) => {
    expect(createPatch(before, after)).toEqual(expected);
  });

  it("keeps the digits of big integers, and compares them by value", () => {
    const before = parseJson('{"a":9007199254740993,"b":1}') as object;
    expect(createPatch(before, { a: 9007199254740993n, b: 1n })).toEqual([]);
    const patch = createPatch(before, { a: 9007199254740995n, b: 1 });
    expect(stringifyJson(patch)).toBe('[{"op":"replace","path":"/a","value":9007199254740995}]');
  });

  it("treats __proto__ like any other key", () => {
    const before = JSON.parse('{"a":{"__proto__":{"x":1}}}') as object;
    const after = JSON.parse('{"a":{"__proto__":{"x":2}},"b":{"__proto__":{"y":1}}}') as object;
    const patch = createPatch(before, after);
    expect(JSON.stringify(patch)).toBe(
      '[{"op":"replace","path":"/a/__proto__/x","value":2},{"op":"add","path":"/b","value":{"__proto__":{"y":1}}}]',
    );
  });

  it("copies values of the object", () => {
    const list = [1];
    const [operation] = createPatch({}, { list });
    list.push(2);
    expect(operation).toEqual({ op: "add", path: "/list", value: [1] });
  });

  it("takes linear time for nested lists", () => {
    let before: unknown = 1;
    let after: unknown = 2;
    for (let depth = 0; depth < 200; depth++) {
      before = [before, depth];
      after = [after, depth];
    }
    const used = processorTime();
    expect(createPatch(before, after)).toHaveLength(1);
    expect(used()).toBeLessThan(mostProcessorTime);
  });

  it("returns a patch that an API server can apply, for a thousand random pairs", async () => {
    const random = seededRandom(11);
    const pairs = Array.from({ length: 1000 }, (_, round) => {
      const value = randomValue(random, 4);
      const metadata = { name: `thing-${round}`, namespace: "default" };
      const before = { apiVersion: "test.example.com/v1", kind: "Thing", metadata, value };
      return { before, after: { ...before, value: random() < 0.5 ? mutate(value, random) : randomValue(random, 4) } };
    });
    const client = fakeClient({ objects: pairs.map(({ before }) => before) });
    for (const { before, after } of pairs) {
      const { value } = (await client.patch(before, jsonPatch(createPatch(before, after)))) as typeof before;
      expect(value).toEqual(JSON.parse(JSON.stringify(after.value)));
    }
  });
});

const keys = ["a", "b", "a/b", "~", "", "metadata", "0"];
const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function randomValue(random: () => number, depth: number): unknown {
  const choice = random();
  if (depth === 0 || choice < 0.4) return pick(random, [0, 1, "", "x", true, false, null, 1.5]);
  if (choice < 0.7) return Array.from({ length: Math.floor(random() * 5) }, () => randomValue(random, depth - 1));
  const holder: Record<string, unknown> = {};
  for (let count = Math.floor(random() * 5); count > 0; count--) {
    holder[pick(random, keys)] = randomValue(random, depth - 1);
  }
  return holder;
}

function mutate(value: unknown, random: () => number): unknown {
  if (random() < 0.15) return randomValue(random, 2);
  if (Array.isArray(value)) {
    const list = value.map((item) => mutate(item, random));
    if (random() < 0.4) list.splice(Math.floor(random() * (list.length + 1)), 0, randomValue(random, 1));
    if (random() < 0.3) list.splice(Math.floor(random() * list.length), 1);
    return list;
  }
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mutate(inner, random)]));
  if (random() < 0.3) delete copy[pick(random, keys)];
  return copy;
}
