import { describe, expect, it } from "vitest";
import { mostProcessorTime, processorTime } from "../../../../scripts/test-support/processor-time.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { listOf } from "../client/answers.ts";
import { labelMatcher } from "../client/label-selector.ts";
import { mergeDiff } from "../client/merge-diff.ts";
import { jsonPatch, mergeFrom } from "../client/patch.ts";
import { createOrPatch, createOrUpdate } from "../controllerutil/create-or-update.ts";
import { patchStatus } from "../controllerutil/patch-status.ts";
import { fakeClient } from "../testing/index.ts";
import { createPatch } from "../webhook/admission/create-patch.ts";
import { cloneJson } from "./clone.ts";
import { semanticEqual } from "./equal.ts";
import { deepFreeze } from "./freeze.ts";
import { parseJson } from "./parse.ts";
import { stringifyJson } from "./stringify.ts";

interface Thing extends KubernetesObject {
  spec?: Record<string, unknown>;
}
const Thing = groupVersion("test.example.com", "v1").kind<Thing>("Thing");

/** A depth that servers still store: their limit is 10,000 levels. */
const depth = 9900;

function deep(list: boolean, leaf: string): unknown {
  const [open, close] = list ? ["[", "]"] : ['{"a":', "}"];
  return JSON.parse(open.repeat(depth) + leaf + close.repeat(depth));
}

/** Calls a function with the given number of stack frames above it. */
function deepInTheStack<T>(levels: number, work: () => T): T {
  return levels === 0 ? work() : deepInTheStack(levels - 1, work);
}

describe("values with hostile depth or keys", () => {
  it.each([
    ["objects", false],
    ["lists", true],
  ])("are compared, copied, patched and serialized up to the depth that servers store: %s", (_, list) => {
    const [first, other] = [deep(list, "1"), deep(list, "2")];
    deepInTheStack(2000, () => {
      expect(semanticEqual(first, deep(list, "1"))).toBe(true);
      expect(semanticEqual(first, other)).toBe(false);
      const copy = cloneJson(first);
      expect(semanticEqual(copy, first)).toBe(true);
      expect(Object.isFrozen(deepFreeze(copy))).toBe(true);
      const used = processorTime();
      const patch = mergeDiff({ spec: first }, { spec: other });
      expect(stringifyJson(patch)).toBe(stringifyJson({ spec: other }));
      expect(stringifyJson(mergeDiff({ spec: first }, { spec: cloneJson(first) }))).toBe("{}");
      expect(used()).toBeLessThan(mostProcessorTime);
      const text = stringifyJson(first);
      expect(semanticEqual(parseJson(text), first)).toBe(true);
      const big = deep(list, "12345678901234567890");
      expect(stringifyJson(parseJson(stringifyJson(big)))).toBe(stringifyJson(big));
      const exact = text.replace("1", "12345678901234567890");
      expect(stringifyJson(parseJson(exact))).toBe(exact);
    });
  });

  it("are frozen to the last level", () => {
    let level = deepFreeze(deep(false, '{"last":{}}')) as Record<string, Record<string, never>>;
    for (let index = 0; index < depth; index++) level = level.a as never;
    expect([Object.isFrozen(level), Object.isFrozen(level.last)]).toEqual([true, true]);
  });

  it("are serialized like JSON.stringify, even at great depth", () => {
    const tricky = {
      a: [undefined, () => 1, Symbol("x"), Number.NaN, -0, null, new Date(0), Object("text"), [[]], {}],
      b: undefined,
      "ü\u2028": '"\\\n\ud800',
      c: { toJSON: () => ({ d: 1, e: undefined }) },
    };
    let wrapped: unknown = tricky;
    for (let index = 0; index < depth; index++) wrapped = [wrapped];
    const inner = JSON.stringify(tricky);
    expect(stringifyJson(wrapped)).toBe("[".repeat(depth) + inner + "]".repeat(depth));
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => stringifyJson(circle)).toThrow(TypeError);
  });

  it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "keep a changed key %s without prototype pollution",
    async (key) => {
      const withKey = (value: unknown): Record<string, unknown> =>
        JSON.parse(`{"a":{${JSON.stringify(key)}:${JSON.stringify(value)}}}`) as Record<string, unknown>;
      const text = (value: unknown): string => JSON.stringify(value);
      const [first, two] = [withKey({ polluted: "1" }), withKey({ polluted: "2" })];
      const empty = { a: {} };

      expect(text(mergeDiff(empty, first))).toBe(text(first));
      expect(text(mergeDiff(first, two))).toBe(text(two));
      expect(text(mergeDiff(first, empty))).toBe(text(withKey(null)));
      expect([semanticEqual(empty, first), semanticEqual(first, two)]).toEqual([false, false]);
      expect(text(cloneJson(first))).toBe(text(first));
      expect(text(deepFreeze(cloneJson(first)))).toBe(text(first));
      const digits = text(withKey("x")).replace('"x"', "12345678901234567890");
      expect(stringifyJson(parseJson(digits))).toBe(digits);
      const item = JSON.parse(`{"metadata":{"name":"a"},${JSON.stringify(key)}:{"polluted":"1"}}`) as object;
      const resource = { ...Thing, plural: "things", namespaced: true };
      const { items } = listOf({ kind: "ThingList", metadata: {}, items: [item] }, resource, "GET");
      expect(Object.hasOwn(items[0]!, key)).toBe(true);

      for (const write of [createOrPatch, createOrUpdate] as const) {
        const client = fakeClient({
          objects: [
            {
              apiVersion: Thing.apiVersion,
              kind: Thing.kind,
              metadata: { name: "a", namespace: "ns" },
              spec: first,
            } as Thing,
          ],
        });
        const game: Thing = {
          apiVersion: Thing.apiVersion,
          kind: Thing.kind,
          metadata: { name: "a", namespace: "ns" },
        };
        const change = (found: Thing): void => {
          found.spec = cloneJson(two);
        };
        expect(await write(client, game, change)).toBe("updated");
        expect(await write(client, game, change)).toBe("unchanged");
        const stored = await client.get(Thing, { namespace: "ns", name: "a" });
        expect(text(stored.spec)).toBe(text(two));
        await client.patch({ ...stored, spec: cloneJson(first) }, mergeFrom(stored));
        expect(text((await client.get(Thing, { namespace: "ns", name: "a" })).spec)).toBe(text(first));
        await client.apply(
          {
            apiVersion: game.apiVersion,
            kind: game.kind,
            metadata: { name: "a", namespace: "ns" },
            spec: cloneJson(two),
          } as Thing,
          { fieldOwner: "me", force: true },
        );
        expect(text((await client.get(Thing, { namespace: "ns", name: "a" })).spec)).toBe(text(two));
        for (const [from, to] of [
          [two, empty],
          [empty, first],
          [first, two],
        ] as const) {
          const patch = jsonPatch(createPatch({ spec: from }, { spec: to }));
          expect(text((await client.patch(game, patch)).spec)).toBe(text(to));
        }
      }
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
    },
  );

  it("keep a key __proto__ in a status", async () => {
    const thing = { apiVersion: Thing.apiVersion, kind: Thing.kind, metadata: { name: "a", namespace: "ns" } } as Thing;
    const client = fakeClient({ objects: [thing], statusSubresource: [Thing] });
    const stored = await client.get(Thing, { namespace: "ns", name: "a" });
    const status = JSON.parse('{"__proto__":{"polluted":"1"}}') as unknown;
    await patchStatus(client, stored, (copy) => void Object.assign(copy, { status }));
    const after = (await client.get(Thing, { namespace: "ns", name: "a" })) as { status?: unknown };
    expect(JSON.stringify(after.status)).toBe('{"__proto__":{"polluted":"1"}}');
  });

  it("match label selectors only by own properties", () => {
    for (const key of ["constructor", "toString", "valueOf"]) {
      expect(labelMatcher(key)({})).toBe(false);
      expect(labelMatcher(`!${key}`)({})).toBe(true);
      expect(labelMatcher(`${key} notin (a)`)({})).toBe(true);
      expect(labelMatcher(key)({ [key]: "x" })).toBe(true);
    }
  });
});
