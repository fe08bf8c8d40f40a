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
    changed = await shrinkPart(
      () => best.decisions.faults,
      (faults) => attempt({ ...best.decisions, faults }),
    );
    const isShorter = await shrinkPart(
      () => best.decisions.order,
      (order) => attempt({ ...best.decisions, order }),
    );
    changed ||= isShorter;
  }
  return best;
}

/** Removes decisions of one kind: half of them, then smaller parts. A run that never settles is long, so there may be few runs. */
async function shrinkPart<K>(
  best: () => ReadonlyMap<K, number>,
  attempt: (left: ReadonlyMap<K, number>) => Promise<boolean>,
): Promise<boolean> {
  let changed = false;
  for (let size = best().size; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best().size; ) {
      const part = [...best().keys()].slice(from, from + size);
      if (await attempt(without(best(), part))) changed = true;
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
