import { execute } from "./execute.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { type Decisions, nameOfFault } from "./schedule/choices.ts";

/** Most steps of all runs of a search. A limit in time would make the result depend on the machine. */
const maxSteps = 200_000;
/** Most steps and runs that the search for a shorter order takes. The rest belongs to the faults. */
const maxOrderSteps = 100_000;
const maxOrderRuns = 100;

/**
 * Searches for a schedule with fewer faults and fewer decisions that breaks the same rule: first without whole kinds of faults,
 * then without single ones. At the end, the schedule without any one of its faults doesn't break the rule, unless its runs are
 * so long that the search ends before.
 *
 * @param settings - the run that breaks a rule
 * @param failed - its result
 * @param run - runs a schedule
 * @returns the result of the shortest schedule
 */
export async function shrink(
  settings: RunSettings,
  failed: RunResult,
  run: typeof execute = execute,
): Promise<RunResult> {
  let best = failed;
  let steps = 0;
  const attempt = async (decisions: Decisions): Promise<boolean> => {
    if (steps >= maxSteps) return false;
    const result = await run({ ...settings, decisions });
    steps += result.steps;
    if (result.violation?.invariant !== failed.violation?.invariant) return false;
    best = result;
    return true;
  };
  const withFaults = (faults: Decisions["faults"]): Promise<boolean> => attempt({ ...best.decisions, faults });
  let orderRuns = 0;
  let orderSteps = 0;
  const withOrder = async (order: Decisions["order"]): Promise<boolean> => {
    if (orderRuns++ >= maxOrderRuns || orderSteps >= maxOrderSteps) return false;
    const before = steps;
    const isShorter = await attempt({ ...best.decisions, order });
    orderSteps += steps - before;
    return isShorter;
  };
  const present = (): ReadonlyMap<string, number> => best.decisions.faults;
  await withOrder(new Map());
  await removeKinds(present, withFaults);
  do {
    await removeParts(present, withFaults);
    // One decision of the order less can make a fault unnecessary.
  } while ((await removeParts(() => best.decisions.order, withOrder)) && steps < maxSteps);
  return best;
}

type Faults = ReadonlyMap<string, number>;

/** Removes whole kinds of faults: all but one, if one alone is enough, or else one after another. */
async function removeKinds(best: () => Faults, attempt: (left: Faults) => Promise<boolean>): Promise<void> {
  const kinds = new Set([...best().keys()].map(nameOfFault));
  const only = (isKept: (kind: string) => boolean): Faults =>
    new Map([...best()].filter(([key]) => isKept(nameOfFault(key))));
  if (kinds.size > 1) {
    for (const kind of kinds) if (await attempt(only((one) => one === kind))) return;
  }
  for (const kind of kinds) await attempt(only((one) => one !== kind));
}

/**
 * Removes decisions of one kind: half of them, then smaller parts, then single ones until none of them can be removed. A run that
 * never settles is long, so there may be few runs.
 */
async function removeParts<K>(
  best: () => ReadonlyMap<K, number>,
  attempt: (left: ReadonlyMap<K, number>) => Promise<boolean>,
): Promise<boolean> {
  let changed = false;
  for (let size = best().size; size >= 1; ) {
    let isShorter = false;
    for (let from = 0; from < best().size; ) {
      const part = [...best().keys()].slice(from, from + size);
      if (await attempt(without(best(), part))) isShorter = true;
      else from += size;
    }
    changed ||= isShorter;
    // A decision can depend on a later one.
    if (size > 1 || !isShorter) size = Math.floor(size / 2);
  }
  return changed;
}

function without<K, V>(map: ReadonlyMap<K, V>, keys: readonly K[]): Map<K, V> {
  const left = new Map(map);
  for (const key of keys) left.delete(key);
  return left;
}
