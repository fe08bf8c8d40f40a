import { expect, it } from "vitest";
import { seededNumbers } from "../json/random.fixture.ts";
import { containsHash, everything, type HashRange, hashCount, parseHash } from "./ranges.ts";
import { shardSelector } from "./selector.ts";

it("a selector has the canonical form, in the order of the ranges", () => {
  const ranges = [
    { start: 1n << 63n, end: hashCount },
    { start: 0n, end: 1n << 62n },
  ];
  expect(shardSelector("namespace", ranges)).toBe(
    "shardRange(object.metadata.namespace, '0x0000000000000000', '0x4000000000000000') || " +
      "shardRange(object.metadata.namespace, '0x8000000000000000', '0x10000000000000000')",
  );
  expect(shardSelector("uid", [{ start: 0n, end: 1n }])).toBe(
    "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001')",
  );
});

it("one range that covers everything needs no selector, also if it is divided", () => {
  expect(shardSelector("uid", [everything])).toBeUndefined();
  expect(
    shardSelector("uid", [
      { start: 1n << 63n, end: hashCount },
      { start: 0n, end: 1n << 63n },
    ]),
  ).toBeUndefined();
});

it("no ranges have no selector, because none matches nothing", () => {
  expect(() => shardSelector("uid", [])).toThrow("a shard selector requires a range");
});

it("more than 32 ranges become a superset of at most 32, whose selector has at most 4 KiB in a URL", () => {
  const below = seededNumbers(5866);
  for (let round = 0; round < 50; round++) {
    const count = 33 + below(100);
    const step = hashCount / BigInt(2 * count);
    const ranges = Array.from({ length: count }, (_, index): HashRange => {
      const start = BigInt(2 * index) * step + BigInt(below(1_000_000));
      return { start, end: start + step / BigInt(1 + below(3)) };
    });
    const selector = shardSelector("namespace", ranges)!;
    const covered = selector.split(" || ").map((call): HashRange => {
      const [start, end] = [...call.matchAll(/'(0x[0-9a-f]+)'/g)].map(([, hash]) => parseHash(hash)!);
      return { start: start!, end: end! };
    });
    expect(covered.length).toBe(32);
    expect(new URLSearchParams({ shardSelector: selector }).toString().length).toBeLessThanOrEqual(4096);
    for (const { start, end } of ranges) {
      expect(containsHash(covered, start)).toBe(true);
      expect(containsHash(covered, end - 1n)).toBe(true);
    }
  }
});
