import { describe, expect, it } from "vitest";
import { seededNumbers } from "../json/random.fixture.ts";
import { containsHash, hashCount, intersectRanges } from "./ranges.ts";
import { formatTable, ownersOf, parseTable, rangesOf, ShardTableError, transferRanges } from "./table.ts";

const half = 1n << 63n;
const lower = { start: "0x0000000000000000", end: "0x8000000000000000", owner: "a", objects: 3 };
const upper = { start: "0x8000000000000000", end: "0x10000000000000000", owner: "b", objects: 4 };

describe("the annotation of the table", () => {
  it("contains sorted ranges with owners and objects", () => {
    const table = parseTable(JSON.stringify([lower, upper]));
    expect(table).toEqual([
      { start: 0n, end: half, owner: "a", objects: 3 },
      { start: half, end: hashCount, owner: "b", objects: 4 },
    ]);
    expect(JSON.parse(formatTable(table))).toEqual([lower, upper]);
    expect(rangesOf(table, "b")).toEqual([{ start: half, end: hashCount }]);
    expect([...ownersOf(parseTable(JSON.stringify([{ ...lower, owner: "" }, upper])))]).toEqual(["b"]);
  });

  it("merges neighboring ranges of one owner, but not those without an owner", () => {
    const table = parseTable(JSON.stringify([lower, { ...upper, owner: "a" }]));
    expect(JSON.parse(formatTable(table))).toEqual([{ ...lower, end: upper.end, objects: 7 }]);
    const free = parseTable(
      JSON.stringify([
        { ...lower, owner: "" },
        { ...upper, owner: "" },
      ]),
    );
    expect(JSON.parse(formatTable(free))).toHaveLength(2);
  });

  it.each([
    ["{", /isn't valid JSON/],
    ["{}", /must be a list/],
    ["[]", /ends at 0x0000000000000000/],
    ["[null]", /entry 0: start: undefined isn't a hash/],
    [JSON.stringify([lower]), /ends at 0x8000000000000000/],
    [JSON.stringify([upper]), /from 0x8000000000000000 doesn't begin at the end/],
    [JSON.stringify([lower, lower, upper]), /from 0x0000000000000000 overlaps/],
    [JSON.stringify([{ ...lower, end: lower.start }, upper]), /start must be less than end/],
    [JSON.stringify([{ ...lower, end: "8" }, upper]), /end: "8" isn't a hash/],
    [JSON.stringify([{ ...lower, owner: null }, upper]), /owner must be a string/],
    [JSON.stringify([{ ...lower, objects: -1 }, upper]), /objects must be a number/],
    [JSON.stringify([{ ...lower, objects: "3" }, upper]), /objects must be a number/],
  ])("%s isn't valid", (text, message) => {
    expect(() => parseTable(text)).toThrow(ShardTableError);
    expect(() => parseTable(text)).toThrow(message);
  });
});

it("transferring ranges never changes the owner of another hash, and keeps the table valid, for 500 random transfers", () => {
  const below = seededNumbers(42);
  const owners = ["", "a", "b", "c"];
  let table = parseTable(JSON.stringify([lower, upper]));
  const count = (): number => 1;
  const probes = Array.from({ length: 64 }, (_, index) => (hashCount / 64n) * BigInt(index));
  for (let round = 0; round < 500; round++) {
    const from = owners[below(4)]!;
    const to = owners[below(4)]!;
    const start = probes[below(64)]!;
    const piece = { start, end: start + (hashCount / 64n) * BigInt(1 + below(8)) };
    const pieces = intersectRanges([piece], [{ start: 0n, end: hashCount }]);
    const before = table;
    table = transferRanges(table, pieces, { from, to, count });
    expect(parseTable(formatTable(table))).toEqual(table);
    for (const hash of probes) {
      const ownerIn = (entries: typeof table) =>
        entries.find((entry) => entry.start <= hash && hash < entry.end)!.owner;
      const was = ownerIn(before);
      expect(ownerIn(table)).toBe(was === from && containsHash(pieces, hash) ? to : was);
    }
  }
});

it("a released range stays divided as its owner has divided it", () => {
  const table = parseTable(JSON.stringify([{ ...lower, end: upper.end }]));
  const pieces = [
    { start: 0n, end: half },
    { start: half, end: hashCount },
  ];
  const released = transferRanges(table, pieces, { from: "a", to: "", count: ({ start }) => (start === 0n ? 1 : 2) });
  expect(released.map(({ owner, objects }) => [owner, objects])).toEqual([
    ["", 1],
    ["", 2],
  ]);
});
