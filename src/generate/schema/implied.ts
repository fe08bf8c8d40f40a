import type { JSONSchema, JSONValue } from "./json-schema.ts";

/** What a branch of a union demands: properties that are there, and values that some of them may have. */
interface Demands {
  readonly required: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ReadonlySet<JSONValue>>;
}

/**
 * Leaves out what another branch allows anyway: `{ a } | { a, b }` is `{ a }`. Where that was needed, an object may be
 * more than one of them at once (`apart` is false).
 */
export function withoutImplied(branches: readonly JSONSchema[]): { all: readonly JSONSchema[]; apart: boolean } {
  const demands = branches.map(demandsOf);
  const candidates = findCandidates(demands);
  const all = branches.filter((_, index) => {
    const one = demands[index]!;
    return !candidates(one).some((at) => {
      const other = demands[at]!;
      return at !== index && implies(one, other) && (at < index || !implies(other, one));
    });
  });
  return { all, apart: all.length === branches.length };
}

function demandsOf({ required = [], properties = {} }: JSONSchema): Demands {
  const values = Object.entries(properties).map(([name, schema]) => [name, new Set(schema.enum)] as const);
  return { required: new Set(required), values: new Map(values) };
}

/** Whether what passes the one branch passes the other, too. */
function implies(one: Demands, other: Demands): boolean {
  for (const name of other.required) if (!one.required.has(name)) return false;
  for (const [name, allowed] of other.values) {
    const values = one.values.get(name);
    if (!values) return false;
    for (const value of values) if (!allowed.has(value)) return false;
  }
  return true;
}

/**
 * Gives, in order, the branches that a branch could imply. Each stands under its rarest demand, of which the implying
 * branch must have part, so that a union of many objects isn't compared pair by pair.
 */
function findCandidates(demands: readonly Demands[]): (one: Demands) => readonly number[] {
  const counts = new Map<string, number>();
  for (const each of demands) for (const key of keysOf(each).flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const weight = (keys: readonly string[]) => Math.max(0, ...keys.map((key) => counts.get(key)!));
  const under = new Map<string, number[]>();
  const free: number[] = [];
  demands.forEach((each, index) => {
    const choices = keysOf(each).map((keys) => ({ keys, weight: weight(keys) }));
    if (choices.length === 0) free.push(index);
    const rarest = choices.reduce((best, next) => (next.weight < best.weight ? next : best), choices[0]!);
    for (const key of rarest?.keys ?? []) {
      const same = under.get(key);
      if (same) same.push(index);
      else under.set(key, [index]);
    }
  });
  return (one) => {
    // No value at all is part of any.
    if ([...one.values.values()].some(({ size }) => size === 0)) return [...demands.keys()];
    const found = keysOf(one).flatMap((keys) => keys.flatMap((key) => under.get(key) ?? []));
    return [...new Set([...free, ...found])].sort((a, b) => a - b);
  };
}

/** For each demand the keys that it stands under: a property that must be there, or the values that one may have. */
function keysOf({ required, values }: Demands): string[][] {
  const names = [...required].map((name) => [JSON.stringify(name)]);
  const fixed = [...values].map(([name, allowed]) => [...allowed].map((value) => JSON.stringify([name, value])));
  return [...names, ...fixed];
}
