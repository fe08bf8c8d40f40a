import { expect, it } from "vitest";
import { seededNumbers } from "../json/random.fixture.ts";
import {
  containsHash,
  everything,
  formatHash,
  type HashRange,
  hashCount,
  intersectRanges,
  mergeRanges,
  parseHash,
  subtractRanges,
} from "./ranges.ts";

it("formatHash writes 16 digits, and 17 for 2^64; parseHash accepts nothing else", () => {
  expect([0n, 255n, hashCount].map(formatHash)).toEqual([
    "0x0000000000000000",
    "0x00000000000000ff",
    "0x10000000000000000",
  ]);
  for (const hash of [0n, 255n, hashCount - 1n, hashCount]) expect(parseHash(formatHash(hash))).toBe(hash);
  for (const text of ["0xff", "ff", "0X00000000000000FF", "0x00000000000000fg", "0x10000000000000001", "", 5, null]) {
    expect(parseHash(text)).toBeUndefined();
  }
});

/** Random ranges below 64, which overlap, touch and can be empty. */
function randomRanges(below: (limit: number) => number): HashRange[] {
  return Array.from({ length: below(6) }, () => {
    const start = below(64);
    return { start: BigInt(start), end: BigInt(start + below(16)) };
  });
}

const isIn = (ranges: readonly HashRange[], hash: bigint): boolean =>
  ranges.some(({ start, end }) => start <= hash && hash < end);

it("merging, subtracting and intersecting ranges keeps exactly the right hashes, for 2,000 random sets", () => {
  const below = seededNumbers(20261130);
  for (let round = 0; round < 2000; round++) {
    const [a, b] = [randomRanges(below), randomRanges(below)];
    const results = { merged: mergeRanges(a), rest: subtractRanges(a, b), both: intersectRanges(a, b) };
    const hashes = Array.from({ length: 90 }, (_, index) => BigInt(index));
    const contained = (ranges: readonly HashRange[]) => hashes.filter((hash) => containsHash(ranges, hash));
    expect(contained(results.merged)).toEqual(hashes.filter((hash) => isIn(a, hash)));
    expect(contained(results.rest)).toEqual(hashes.filter((hash) => isIn(a, hash) && !isIn(b, hash)));
    expect(contained(results.both)).toEqual(hashes.filter((hash) => isIn(a, hash) && isIn(b, hash)));
    for (const ranges of Object.values(results)) {
      expect(ranges.every(({ start, end }, index) => start < end && (ranges[index - 1]?.end ?? -1n) < start)).toBe(
        true,
      );
    }
  }
});

it("everything contains the first and the last hash", () => {
  expect([0n, hashCount - 1n, hashCount].map((hash) => containsHash([everything], hash))).toEqual([true, true, false]);
});
