import { describe, expect, it } from "vitest";
import { seededNumbers } from "../json/random.fixture.ts";
import { deviationOf, type MemberLoad, meanOf, nextMove, piecesToLeave, pieceToGive, rangeToTake } from "./balance.ts";
import { equalShares, prefixes } from "./divide.ts";
import { type KeyCount, keysIn, objectsOf, sortedKeys } from "./keys.ts";
import { everything, type HashRange, hashCount, mergeRanges, subtractRanges } from "./ranges.ts";

const active = (name: string, objects: number): MemberLoad => ({ name, objects, state: "active" });

function randomKeys(below: (limit: number) => number, count = 20 + below(200)): KeyCount[] {
  return sortedKeys(Array.from({ length: count }, (_, index) => [`team-${index}`, 1 + below(50)] as const));
}

/** A group without processes: the ranges of its members change as the functions decide. */
class Group {
  readonly ranges = new Map<string, HashRange[]>();
  moved = 0;

  readonly keys: readonly KeyCount[];

  constructor(keys: readonly KeyCount[], names: readonly string[]) {
    this.keys = keys;
    const shares = equalShares(keys, names.length);
    for (const [index, name] of names.entries()) this.ranges.set(name, shares[index] ? [shares[index]] : []);
  }

  objects(name: string): number {
    return this.ranges.get(name)!.reduce((sum, range) => sum + objectsOf(keysIn(this.keys, range)), 0);
  }

  keysOf(name: string): KeyCount[] {
    return this.ranges.get(name)!.flatMap((range) => keysIn(this.keys, range));
  }

  loads(indivisible: ReadonlySet<string> = new Set()): MemberLoad[] {
    return [...this.ranges.keys()].map((name) => ({
      ...active(name, this.objects(name)),
      isIndivisible: indivisible.has(name),
    }));
  }

  /** Moves pieces until the group is balanced. Returns the number of moves. */
  balance(tolerance: number): number {
    const indivisible = new Set<string>();
    for (let moves = 0; moves < 1000; ) {
      const loads = this.loads(indivisible);
      const move = nextMove(loads, tolerance);
      if (!move) return moves;
      const [ranges, receiver] = [this.ranges.get(move.from)!, this.ranges.get(move.to)!];
      const piece = pieceToGive({
        keys: this.keys,
        ranges,
        receiver,
        wanted: move.objects,
        difference: this.objects(move.from) - this.objects(move.to),
        slack: (tolerance * meanOf(loads)) / 2,
      });
      if (!piece) {
        indivisible.add(move.from);
        continue;
      }
      expect(piece.objects).toBe(objectsOf(keysIn(this.keys, piece)));
      this.ranges.set(move.from, subtractRanges(ranges, [piece]));
      this.ranges.set(move.to, mergeRanges([...receiver, piece]));
      this.moved += piece.objects;
      moves++;
    }
    throw new Error("balancing doesn't end");
  }

  expectValid(): void {
    const all = [...this.ranges.values()].flat();
    expect(mergeRanges(all)).toEqual([{ start: 0n, end: hashCount }]);
    const sizes = all.reduce((sum, { start, end }) => sum + (end - start), 0n);
    expect(sizes).toBe(hashCount);
  }
}

describe("dividing", () => {
  it("boundaries are always between two keys, and the pieces count their objects", () => {
    const keys = randomKeys(seededNumbers(1), 100);
    for (const { end, objects } of prefixes(keys, everything)) {
      const inside = keys.filter(({ hash }) => hash < end);
      expect(objects).toBe(objectsOf(inside));
    }
    expect(prefixes(keys, everything)).toHaveLength(100);
    expect(prefixes([], everything)).toEqual([{ ...everything, objects: 0 }]);
  });

  it("equal shares differ from the mean by at most the largest key, for 300 random installations", () => {
    const below = seededNumbers(2);
    for (let round = 0; round < 300; round++) {
      const keys = randomKeys(below);
      const count = 1 + below(8);
      const shares = equalShares(keys, count);
      expect(mergeRanges(shares)).toEqual([{ start: 0n, end: hashCount }]);
      expect(shares).toHaveLength(count);
      for (const { objects } of shares) expect(Math.abs(objects - objectsOf(keys) / count)).toBeLessThanOrEqual(50);
    }
  });

  it("an installation without objects is divided by hashes", () => {
    expect(equalShares([], 2)).toEqual([
      { start: 0n, end: 1n << 63n, objects: 0 },
      { start: 1n << 63n, end: hashCount, objects: 0 },
    ]);
  });

  it("fewer keys than members leave members without a range", () => {
    expect(equalShares(sortedKeys([["only", 9]]), 3)).toEqual([{ ...everything, objects: 9 }]);
  });
});

describe("balancing", () => {
  it("the member with the most objects gives to the one with the fewest", () => {
    expect(nextMove([active("a", 100), active("b", 20), active("c", 60)], 0.1)).toEqual({
      from: "a",
      to: "b",
      objects: 40,
    });
  });

  it("a deviation within the tolerance causes no move", () => {
    expect(nextMove([active("a", 109), active("b", 91)], 0.1)).toBeUndefined();
    expect(nextMove([active("a", 111), active("b", 89)], 0.1)).toMatchObject({ from: "a", to: "b" });
  });

  it("the mean includes members that are joining, and the objects of those that are leaving", () => {
    const joining: MemberLoad = { name: "c", state: "joining", objects: 0 };
    const leaving: MemberLoad = { name: "d", state: "leaving", objects: 30 };
    expect(meanOf([active("a", 60), active("b", 60), joining])).toBe(40);
    expect(meanOf([active("a", 60), active("b", 60), leaving])).toBe(75);
    expect(nextMove([active("a", 60), active("b", 60), active("c", 0)], 0.1)).toEqual({
      from: "b",
      to: "c",
      objects: 20,
    });
  });

  it("a member that is joining or leaving gives and receives nothing", () => {
    expect(nextMove([active("a", 60), { name: "b", state: "joining", objects: 0 }], 0.1)).toBeUndefined();
    expect(nextMove([{ name: "a", state: "joining", objects: 100 }, active("b", 0)], 0.1)).toBeUndefined();
    expect(nextMove([active("a", 100), { name: "b", state: "leaving", objects: 0 }], 0.1)).toBeUndefined();
  });

  it("a group without objects is balanced", () => {
    expect(deviationOf([active("a", 0), active("b", 0)])).toBe(0);
    expect(nextMove([active("a", 0), active("b", 0)], 0.1)).toBeUndefined();
  });

  it("one key with most objects isn't divided, and the others are balanced among themselves", () => {
    const keys = sortedKeys([["huge", 1000], ...Array.from({ length: 60 }, (_, i) => [`n-${i}`, 1] as const)]);
    const group = new Group(keys, ["a", "b", "c"]);
    const huge = keys.find(({ key }) => key === "huge")!;
    group.ranges.set("a", [{ start: 0n, end: huge.hash }]);
    group.ranges.set("b", [{ start: huge.hash, end: huge.hash + 1n }]);
    group.ranges.set("c", [{ start: huge.hash + 1n, end: hashCount }]);
    group.balance(0.1);
    group.expectValid();
    expect(group.objects("b")).toBe(1000);
    expect(Math.abs(group.objects("a") - group.objects("c"))).toBeLessThanOrEqual(7);
  });

  it("growing from 1 to 2 and 5 members is balanced in a few moves, which move little more than necessary, for 100 installations", () => {
    const below = seededNumbers(3);
    for (let round = 0; round < 100; round++) {
      const keys = randomKeys(below, 300);
      const largest = Math.max(...keys.map(({ objects }) => objects));
      const total = objectsOf(keys);
      const group = new Group(keys, ["a"]);
      for (const [names, necessary] of [
        [["b"], 1 / 2],
        [["c", "d", "e"], 3 / 5],
      ] as const) {
        for (const name of names) group.ranges.set(name, []);
        group.moved = 0;
        expect(group.balance(0.1)).toBeLessThanOrEqual(2 * group.ranges.size);
        group.expectValid();
        const mean = total / group.ranges.size;
        for (const { objects } of group.loads())
          expect(Math.abs(objects - mean)).toBeLessThanOrEqual(0.1 * mean + largest);
        expect(group.moved).toBeLessThanOrEqual(total * necessary * 1.05 + largest);
      }
    }
  });

  it("each move reduces the difference of its members, so balancing ends, for 200 random groups", () => {
    const below = seededNumbers(4);
    for (let round = 0; round < 200; round++) {
      const keys = randomKeys(below);
      const group = new Group(keys, ["a", "b", "c", "d"]);
      const all = ["a", "b", "c", "d"].map((name) => [name, group.ranges.get(name)!] as const);
      for (const [name, ranges] of all) {
        const [range] = ranges;
        if (below(2) === 0 || !range || name === "a") continue;
        group.ranges.set(name, []);
        group.ranges.set("a", mergeRanges([...group.ranges.get("a")!, range]));
      }
      group.balance(0.02 + below(20) / 100);
      group.expectValid();
    }
  });
});

describe("leaving", () => {
  it("a leaving member divides its ranges so that each other one can take its share, for 100 installations", () => {
    const below = seededNumbers(6);
    for (let round = 0; round < 100; round++) {
      const keys = randomKeys(below, 300);
      const largest = Math.max(...keys.map(({ objects }) => objects));
      const group = new Group(keys, ["a", "b", "c", "d"]);
      const ranges = group.ranges.get("d")!;
      const remaining = group.loads().filter(({ name }) => name !== "d");
      const pieces = piecesToLeave(keys, ranges, remaining, 0.1);
      expect(mergeRanges(pieces)).toEqual(mergeRanges(ranges));
      group.ranges.delete("d");
      let free = pieces;
      while (free.length > 0) {
        const takers = [...group.ranges.keys()].flatMap((name) => {
          const taken = rangeToTake(free, group.loads(), { name, tolerance: 0.1 });
          return taken ? [{ name, ...taken }] : [];
        });
        expect(takers).toHaveLength(1);
        const { name, range, part } = takers[0]!;
        expect(part === undefined || part > 0).toBe(true);
        group.ranges.set(name, mergeRanges([...group.ranges.get(name)!, range]));
        free = free.filter((other) => other !== range);
      }
      group.expectValid();
      const mean = objectsOf(keys) / 3;
      for (const { objects } of group.loads()) {
        expect(Math.abs(objects - mean)).toBeLessThanOrEqual(0.1 * mean + 2 * largest);
      }
    }
  });

  it("the last member releases its ranges whole", () => {
    const keys = sortedKeys([["a", 1]]);
    expect(piecesToLeave(keys, [everything], [], 0.1)).toEqual([{ ...everything, objects: 1 }]);
  });
});

describe("taking a free range", () => {
  const free = [{ ...everything, objects: 90 }];

  it("only the active member with the fewest objects takes it, up to the mean", () => {
    const members = [active("a", 60), active("b", 30), { name: "c", state: "joining" as const, objects: 0 }];
    expect(rangeToTake(free, members, { name: "a", tolerance: 0.1 })).toBeUndefined();
    expect(rangeToTake(free, members, { name: "c", tolerance: 0.1 })).toBeUndefined();
    expect(rangeToTake(free, members, { name: "b", tolerance: 0.1 })).toEqual({ range: free[0], part: 30 });
  });

  it("the last member takes the whole range", () => {
    expect(rangeToTake(free, [active("a", 60)], { name: "a", tolerance: 0.1 })).toEqual({
      range: free[0],
      part: undefined,
    });
  });

  it("an empty range is taken whole", () => {
    const empty = [{ ...everything, objects: 0 }];
    expect(rangeToTake(empty, [active("a", 5), active("b", 5)], { name: "a", tolerance: 0.1 })?.part).toBeUndefined();
  });
});
