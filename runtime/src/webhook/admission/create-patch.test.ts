import { describe, expect, it } from "vitest";
import { jsonPatch } from "../../client/patch.ts";
import { parseJson } from "../../json/parse.ts";
import { seededRandom } from "../../json/random.fixture.ts";
import { stringifyJson } from "../../json/stringify.ts";
import { fakeClient } from "../../testing/index.ts";
import { createPatch } from "./create-patch.ts";

describe("createPatch", () => {
  it.each([
    ["nothing changed", { a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, []],
    ["a new field", { spec: {} }, { spec: { color: "red" } }, [{ op: "add", path: "/spec/color", value: "red" }]],
    ["another value", { a: 1 }, { a: 2 }, [{ op: "replace", path: "/a", value: 2 }]],
    ["a field less", { a: 1, b: 2 }, { b: 2 }, [{ op: "remove", path: "/a" }]],
    ["undefined is none", { a: 1 }, { a: undefined, b: undefined }, [{ op: "remove", path: "/a" }]],
    ["null is a value", { a: 1 }, { a: null }, [{ op: "replace", path: "/a", value: null }]],
    ["null becomes a value", { a: null }, { a: 1 }, [{ op: "replace", path: "/a", value: 1 }]],
    ["object becomes list", { a: {} }, { a: [] }, [{ op: "replace", path: "/a", value: [] }]],
    ["keys with / and ~", { "a/b": 1 }, { "a/b": 1, "c~/d": 2 }, [{ op: "add", path: "/c~0~1d", value: 2 }]],
    [
      "a list grows at its end",
      { a: [1] },
      { a: [1, 2, 3] },
      [
        { op: "add", path: "/a/1", value: 2 },
        { op: "add", path: "/a/2", value: 3 },
      ],
    ],
    ["a list grows at its start", { a: [2, 3] }, { a: [1, 2, 3] }, [{ op: "add", path: "/a/0", value: 1 }]],
    [
      "a list shrinks from its end",
      { a: [1, 2, 3, 4] },
      { a: [1, 4] },
      [
        { op: "remove", path: "/a/2" },
        { op: "remove", path: "/a/1" },
      ],
    ],
    [
      "an item changes",
      { a: [{ n: 1, x: 1 }, { n: 2 }] },
      { a: [{ n: 1, x: 2 }, { n: 2 }] },
      [{ op: "replace", path: "/a/0/x", value: 2 }],
    ],
    ["a date is its text", { a: "2020-01-01T00:00:00.000Z" }, { a: new Date("2020-01-01T00:00:00Z") }, []],
    [
      "what JSON has no word for",
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

  it("keeps big integers digit for digit and compares them by value", () => {
    const before = parseJson('{"a":9007199254740993,"b":1}') as object;
    expect(createPatch(before, { a: 9007199254740993n, b: 1n })).toEqual([]);
    const patch = createPatch(before, { a: 9007199254740995n, b: 1 });
    expect(stringifyJson(patch)).toBe('[{"op":"replace","path":"/a","value":9007199254740995}]');
  });

  it("treats __proto__ as any other key", () => {
    const before = JSON.parse('{"a":{"__proto__":{"x":1}}}') as object;
    const after = JSON.parse('{"a":{"__proto__":{"x":2}},"b":{"__proto__":{"y":1}}}') as object;
    const patch = createPatch(before, after);
    expect(JSON.stringify(patch)).toBe(
      '[{"op":"replace","path":"/a/__proto__/x","value":2},{"op":"add","path":"/b","value":{"__proto__":{"y":1}}}]',
    );
  });

  it("values of a patch share nothing with the object", () => {
    const list = [1];
    const [operation] = createPatch({}, { list });
    list.push(2);
    expect(operation).toEqual({ op: "add", path: "/list", value: [1] });
  });

  it("takes linear time where lists lie in lists", () => {
    let before: unknown = 1;
    let after: unknown = 2;
    for (let depth = 0; depth < 200; depth++) {
      before = [before, depth];
      after = [after, depth];
    }
    const start = performance.now();
    expect(createPatch(before, after)).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it("applied by an API server to the one value gives the other, for a thousand random pairs", async () => {
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
