import { seededRandom } from "../../runtime/src/json/random.fixture.ts";

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
