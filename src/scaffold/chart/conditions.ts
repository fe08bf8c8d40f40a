// Sets of choices, and the equivalent Helm conditions.

/** A set of choices: bit c is set if it contains choice c. Bit s of a choice's number is 1 if switch s is on. */
export type Choices = bigint;

/** A Helm condition, such as `and .Values.a .Values.b`; undefined if it always holds. */
export type Condition = string | undefined;

/** Converts sets of choices to conditions over some switches. */
export interface Conditions {
  readonly all: Choices;
  /** The number of choices. */
  readonly count: number;
  /**
   * Returns the shortest condition that holds for exactly the choices in `set`, among those in `within`. For all others, its
   * value doesn't matter.
   */
  of(set: Choices, within: Choices): Condition;
}

interface Cube {
  readonly set: Choices;
  readonly literals: readonly string[];
}

/**
 * Creates the conditions over some switches.
 *
 * @param values the paths of the switches, such as `.Values.webhook.enabled`, in the order of their bits
 */
export function conditionsOver(values: readonly string[]): Conditions {
  const count = 2 ** values.length;
  const all = (1n << BigInt(count)) - 1n;
  const cubes = cubesOf(values, count, all);
  const byKey = new Map<string, Condition>();
  const find = (set: Choices, within: Choices): Condition => {
    const fitting = cubes.filter((cube) => (cube.set & within & ~set) === 0n);
    const chosen: Cube[] = [];
    let left = set;
    while (left !== 0n) {
      // Prefer conditions with the fewest terms, then those that cover the most choices.
      let best: { readonly cube: Cube; readonly gain: number } | undefined;
      for (const cube of fitting) {
        const gain = size(cube.set & left);
        if (gain > (best?.gain ?? 0)) best = { cube, gain };
      }
      if (best === undefined) throw new Error("a set of choices without condition");
      chosen.push(best.cube);
      left &= ~best.cube.set;
    }
    if (chosen.some(({ literals }) => literals.length === 0)) return undefined;
    const words = chosen.map(({ literals }) => literals);
    if (words.length === 1) return joined("and", words[0] ?? []);
    return joined(
      "or",
      words.map((word) => joined("and", word)),
    );
  };
  return {
    all,
    count,
    of(set, within) {
      const key = `${set}/${within}`;
      if (!byKey.has(key)) byKey.set(key, find(set, within));
      return byKey.get(key);
    },
  };
}

/** Returns all conjunctions of switches that are on or off, short ones first. */
function cubesOf(values: readonly string[], count: number, all: Choices): Cube[] {
  const on = values.map((_, bit) => {
    let set = 0n;
    for (let choice = 0; choice < count; choice++) if ((choice >> bit) & 1) set |= 1n << BigInt(choice);
    return set;
  });
  const cubes = values.reduce<Cube[]>(
    (made, value, bit) =>
      made.flatMap(({ set, literals }) => [
        { set, literals },
        { set: set & (on[bit] ?? 0n), literals: [...literals, value] },
        { set: set & ~(on[bit] ?? 0n), literals: [...literals, `not ${value}`] },
      ]),
    [{ set: all, literals: [] }],
  );
  return cubes.sort((a, b) => a.literals.length - b.literals.length);
}

function size(set: Choices): number {
  // Arithmetic with BigInt takes longer, because each step creates a number of this length.
  return set === 0n ? 0 : set.toString(2).replaceAll("0", "").length;
}

/** Combines conditions with `and`. Ignores those that always hold. */
export function both(...conditions: readonly Condition[]): Condition {
  const some = [...new Set(conditions.flatMap(wordsOf))];
  return some.length === 0 ? undefined : joined("and", some);
}

/** Combines two conditions with `or`. */
export function either(a: string, b: string): string {
  return joined("or", [a, b]);
}

/** Returns the terms of a simple conjunction, so that terms aren't repeated. */
function wordsOf(condition: Condition): string[] {
  if (condition === undefined) return [];
  return /^and( [.$][\w.$]+)+$/.test(condition) ? condition.split(" ").slice(1) : [condition];
}

function joined(operator: "and" | "or", words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? "";
  return `${operator} ${words.map((word) => (word.includes(" ") ? `(${word})` : word)).join(" ")}`;
}
