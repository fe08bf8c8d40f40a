/** Returns numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns integers from 0 to below a limit, the same for the same seed. */
export function seededNumbers(seed: number): (below: number) => number {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}

/** A random generator that returns the same sequence for the same seed. */
export interface Random {
  /** Returns an integer from 0 to `below - 1`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Returns up to `most` different elements, in their original order. */
  some<T>(from: readonly T[], most: number): T[];
}

/** Creates the random generator for one case of a run, independent of other cases. */
export function createRandom(seed: number, round: number): Random {
  const next = seededRandom((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(round + 1, 0xc2b2ae35)) | 0);
  const int = (below: number): number => Math.floor(next() * below);
  const random: Random = {
    int,
    chance: (probability) => next() < probability,
    pick: (from) => from[int(from.length)]!,
    some(from, most) {
      const chosen = new Set<number>();
      const count = int(Math.min(most, from.length) + 1);
      while (chosen.size < count) chosen.add(int(from.length));
      return from.filter((_, index) => chosen.has(index));
    },
  };
  return random;
}
