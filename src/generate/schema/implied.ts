import type { JSONSchema, JSONValue } from "./model/json-schema.ts";

/** The conditions of a union branch: required properties, and fixed values. */
interface Demands {
  readonly required: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ReadonlySet<JSONValue>>;
}

/**
 * Omits branches that another branch implies: `{ a } | { a, b }` is `{ a }`. If any are omitted, `apart` is false: an object
 * may match more than one branch.
 */
export function withoutImplied(branches: readonly JSONSchema[]): { all: readonly JSONSchema[]; apart: boolean } {
  const demands = branches.map(demandsOf);
  const candidates = findCandidates(demands);
  const all = branches.filter((_, index) => {
    const demand = demands[index]!;
    return !candidates(demand).some((at) => {
      const other = demands[at]!;
      return at !== index && implies(demand, other) && (at < index || !implies(other, demand));
    });
  });
  return { all, apart: all.length === branches.length };
}

function demandsOf({ required = [], properties = {} }: JSONSchema): Demands {
  const values = Object.entries(properties).map(([name, schema]) => [name, new Set(schema.enum)] as const);
  return { required: new Set(required), values: new Map(values) };
}

/** Returns whether all values of one branch match the other, too. */
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
 * Finds the branches that a branch may imply, in order. Each branch is indexed by its rarest condition, which the implying branch
 * must share, so that a large union isn't compared pair by pair.
 */
function findCandidates(demands: readonly Demands[]): (one: Demands) => readonly number[] {
  const counts = new Map<string, number>();
  for (const demand of demands) for (const key of keysOf(demand).flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
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
    // An empty set of values is part of any.
    if ([...one.values.values()].some(({ size }) => size === 0)) return [...demands.keys()];
    const candidates = keysOf(one).flatMap((keys) => keys.flatMap((key) => under.get(key) ?? []));
    return [...new Set([...free, ...candidates])].sort((a, b) => a - b);
  };
}

/** Returns the index keys of each condition: a required property, or the possible values of a property. */
function keysOf({ required, values }: Demands): string[][] {
  const names = [...required].map((name) => [JSON.stringify(name)]);
  const fixed = [...values].map(([name, allowed]) => [...allowed].map((value) => JSON.stringify([name, value])));
  return [...names, ...fixed];
}
