import { collectionsOf, withoutLogs } from "./checks/external.ts";
import type { Baseline } from "./checks/run-checks.ts";
import { checkConvergence } from "./checks/settled.ts";
import { both, history, kindOf, noVariation, type Snapshot, variation } from "./checks/snapshot.ts";
import { execute } from "./execute.ts";
import type { Prepared } from "./prepare.ts";
import { deleteEach, type Probed, recreateAll, recreateAtOnce, removeEach, removeMarks } from "./probes.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { noDecisions } from "./schedule/choices.ts";
import { plainPlan } from "./upgrade/upgrade-plan.ts";
import { isOperator } from "./world/state.ts";
import { isEndpoints } from "./world/target.ts";

/** Resources on which the controllers of workloads act, or that they create. */
const workloads = new Set([
  "pods",
  "nodes",
  "deployments",
  "replicasets",
  "statefulsets",
  "daemonsets",
  "jobs",
  "cronjobs",
  "replicationcontrollers",
  "services",
  "endpoints",
  "endpointslices",
  "serviceaccounts",
  "persistentvolumeclaims",
  "persistentvolumes",
  "storageclasses",
  "poddisruptionbudgets",
]);

/** Other random numbers, names and times than those of the first run without faults. */
const otherNature = 1_000_003;

/** The states of the runs without faults, or the result of one that breaks a rule. */
export interface BaselineResult {
  baseline: (Baseline & { usesRandom: boolean; isActive: boolean }) | undefined;
  broken: { settings: RunSettings; result: RunResult } | undefined;
}

/**
 * Runs the scenario twice without faults.
 *
 * @param prepared - the parts that all runs share
 * @param seed - the seed of the numbers of the scenario
 * @returns the states
 * @throws the error of the scenario
 */
export async function runBaseline(prepared: Prepared, seed: number): Promise<BaselineResult> {
  const settingsOf = (nature: number): RunSettings => ({ prepared, seed, nature, faults: [], decisions: noDecisions });
  const run = async (nature: number): Promise<RunResult> => {
    const result = await execute(settingsOf(nature));
    if (result.scenarioError !== undefined) throw result.scenarioError;
    return result;
  };
  const first = await run(0);
  if (first.violation) return { baseline: undefined, broken: { settings: settingsOf(0), result: first } };
  // The controllers of workloads take most of the time of a run.
  prepared.usesEndpoints = [...first.resources].some(isEndpoints);
  prepared.appliesObjects = first.appliesObjects ?? false;
  prepared.usesWorkloads = [...first.resources].some((resource) => workloads.has(resource));
  const second = await run(otherNature);
  if (second.violation) return { baseline: undefined, broken: { settings: settingsOf(otherNature), result: second } };
  const initial = collectionsOf(prepared.newSystems());
  const varying = withoutLogs(variation(first.snapshots, second.snapshots), initial, first.snapshots);
  const inUse = await findInUse(prepared, seed, first.snapshots);
  const restored = await findRestored(prepared, seed, { ...first, varying });
  const isActive = hasActed(first);
  return { baseline: { ...first, varying, probed: { inUse, restored }, isActive }, broken: undefined };
}

/** Whether the operator has written something, or called an external system. */
function hasActed({ timeline }: RunResult): boolean {
  return timeline
    .entries()
    .some(({ actor, action, object }) => isOperator(actor) && actions.has(action) && !/^(Lease|Event) /.test(object));
}

const actions: ReadonlySet<string> = new Set(["create", "update", "delete", "external"]);

/**
 * Finds out which objects of the user the operator keeps until other objects of the user are deleted.
 *
 * @param prepared - the parts that all runs share
 * @param seed - the seed of the numbers of the scenario
 * @param snapshots - the states of the run without faults
 * @returns the identifiers of the objects
 */
async function findInUse(
  prepared: Prepared,
  seed: number,
  snapshots: readonly Snapshot[],
): Promise<ReadonlySet<string>> {
  const inUse = new Set<string>();
  const kinds = new Set(prepared.definitions.map(({ spec }) => spec.names.kind));
  const hasSeveral = snapshots.some(
    (snapshot) => [...snapshot.keys()].filter((id) => kinds.has(kindOf(id))).length > 1,
  );
  if (!hasSeveral || !prepared.faults.includes("recreate")) return inUse;
  const probe = (probed: Probed): Promise<void> => deleteEach(probed, inUse);
  await execute({ prepared, seed, nature: 0, faults: [], decisions: noDecisions, probe });
  return inUse;
}

/**
 * Finds out which labels and finalizers the operator restores without faults. Not every correct operator does this: one that
 * finds its children by a label doesn't find a child without it.
 *
 * @param prepared - the parts that all runs share
 * @param seed - the seed of the numbers of the scenario
 * @param baseline - the run without faults
 * @returns the labels and finalizers, with their kinds
 */
async function findRestored(prepared: Prepared, seed: number, baseline: Baseline): Promise<ReadonlySet<string>> {
  const restored = new Map<string, boolean>();
  if (baseline.learned.marks.size === 0 || !prepared.faults.includes("hands")) return new Set();
  const probe = (probed: Probed): Promise<void> => removeMarks(probed, restored);
  const settings = { prepared, seed, nature: 0, faults: [], decisions: noDecisions, probe };
  const { violation, scenarioError, snapshots } = await execute(settings);
  const hasChanged = (before: Snapshot, index: number): boolean =>
    checkConvergence(before, snapshots[index] ?? new Map(), baseline.varying) !== undefined;
  if (violation || scenarioError !== undefined || baseline.snapshots.some(hasChanged)) return new Set();
  return new Set([...restored].filter(([, isRestored]) => isRestored).map(([key]) => key));
}

/**
 * Finds out before which settled states the operator doesn't restore a kind, although it does so in others. A correct operator
 * can stop its work in some states, such as that of an invalid object.
 *
 * @param settings - the schedule, whose faults don't happen
 * @returns the states with the kinds, as in {@link RunResult.byHand}
 */
export async function findUnrestored(settings: RunSettings): Promise<ReadonlySet<string>> {
  const states: Map<string, boolean>[] = [];
  const probe = (probed: Probed): Promise<void> => {
    const restored = new Map<string, boolean>();
    states.push(restored);
    return removeEach(probed, restored);
  };
  await execute({ ...withoutFaults(settings), probe });
  const kinds = new Set(states.flatMap((state) => [...state.keys()]));
  const unrestored = new Set<string>();
  for (const kind of kinds) {
    if (!states.some((state) => state.get(kind))) continue;
    let isMissing = false;
    states.forEach((state, index) => {
      // An object that wasn't restored before isn't there to be removed again.
      isMissing = state.get(kind) === undefined ? isMissing : !state.get(kind);
      if (isMissing) unrestored.add(`${index} ${kind}`);
    });
  }
  return unrestored;
}

/**
 * Runs the scenario without faults, but creates the objects of the user again before each settled state: once when their children
 * are gone, and once while they may still exist and, for example, still have their addresses.
 *
 * @param schedule - the schedule, whose faults don't happen
 * @param baseline - the states of the run without faults
 * @returns the differences: nothing if the scenario doesn't work with new objects
 */
export async function runHistory(schedule: RunSettings, baseline: Baseline): Promise<Baseline["varying"]> {
  let varying = noVariation;
  for (const probe of [recreateAll, recreateAtOnce]) {
    const settings = { ...withoutFaults(schedule), probe };
    const { violation, scenarioError, snapshots } = await execute(settings);
    if (!violation && scenarioError === undefined) varying = both(varying, history(baseline.snapshots, snapshots));
  }
  return varying;
}

/** Returns the settings of the run without faults with which a schedule is compared. */
function withoutFaults({ prepared, seed, upgrade }: RunSettings): RunSettings {
  const plain = upgrade && { plan: plainPlan(upgrade.plan), isSurvey: true };
  return { prepared, seed, nature: 0, faults: [], decisions: noDecisions, ...(plain ? { upgrade: plain } : {}) };
}
