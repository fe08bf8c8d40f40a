import { execute } from "./execute.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import type { Decisions } from "./schedule/choices.ts";

/** Most runs that a search for a shorter schedule takes. */
const maxRuns = 150;
/** Most steps of all these runs. A limit in time would make the result depend on the machine. */
const maxSteps = 200_000;

/**
 * Searches for a schedule with fewer faults and fewer decisions that breaks the same rule.
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
  let runs = 0;
  let steps = 0;
  const isOver = (): boolean => runs >= maxRuns || steps >= maxSteps;
  const attempt = async (decisions: Decisions): Promise<boolean> => {
    if (isOver()) return false;
    runs++;
    const result = await run({ ...settings, decisions });
    steps += result.steps;
    if (result.violation?.invariant !== failed.violation?.invariant) return false;
    best = result;
    return true;
  };
  await attempt({ ...best.decisions, order: new Map() });
  let changed = true;
  while (changed && !isOver()) {
    changed = false;
    for (const key of [...best.decisions.faults.keys()]) {
      if (!best.decisions.faults.has(key)) continue;
      if (await attempt({ ...best.decisions, faults: without(best.decisions.faults, [key]) })) changed = true;
    }
    changed = (await shrinkOrder(() => best, attempt)) || changed;
  }
  return best;
}

/** Removes decisions about the order: half of them, then smaller parts. */
async function shrinkOrder(
  best: () => RunResult,
  attempt: (decisions: Decisions) => Promise<boolean>,
): Promise<boolean> {
  let changed = false;
  for (let size = best().decisions.order.size; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best().decisions.order.size; ) {
      const { order, faults } = best().decisions;
      const part = [...order.keys()].slice(from, from + size);
      if (await attempt({ faults, order: without(order, part) })) changed = true;
      else from += size;
    }
  }
  return changed;
}

function without<K, V>(map: ReadonlyMap<K, V>, keys: readonly K[]): Map<K, V> {
  const left = new Map(map);
  for (const key of keys) left.delete(key);
  return left;
}
