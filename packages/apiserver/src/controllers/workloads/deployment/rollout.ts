import { byCreation, type ReplicaSet } from "../common/objects.ts";
import { desiredOf, limitsOf, proportionOf, revisionOf } from "./revisions.ts";
import { countReplicas, isComplete, specReplicas } from "./status.ts";
import type { Deployment, ReplicaSetWriter, Rollout } from "./types.ts";

const unlimited = 2 ** 31 - 1;

function sizeOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 0;
}

function withCurrent({ current, old }: Rollout): ReplicaSet[] {
  return current === undefined ? [...old] : [...old, current];
}

/** Puts a ReplicaSet that was written in place of its earlier state. */
function replace(rollout: Rollout, set: ReplicaSet): void {
  if (rollout.current?.metadata.uid === set.metadata.uid) rollout.current = set;
  else rollout.old = rollout.old.map((replicaSet) => (replicaSet.metadata.uid === set.metadata.uid ? set : replicaSet));
}

/** Returns the size of the current ReplicaSet that the limit for surplus Pods allows. */
export function allowedSize(deployment: Deployment, all: readonly ReplicaSet[], size: number): number {
  const replicas = deployment.spec.replicas ?? 1;
  if (deployment.spec.strategy?.type !== "RollingUpdate") return replicas;
  const room = replicas + limitsOf(deployment).surge - specReplicas(all);
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/**
 * Continues a rolling update: scales up the current ReplicaSet, or else scales down old ones.
 *
 * @param controller - writes
 * @param rollout - the Deployment and its ReplicaSets
 */
export async function roll(controller: ReplicaSetWriter, rollout: Rollout): Promise<void> {
  const { deployment } = rollout;
  const current = await controller.ensureCurrent(rollout);
  if (current === undefined) return;
  const replicas = deployment.spec.replicas ?? 1;
  if (sizeOf(current) !== replicas) {
    const size = sizeOf(current) > replicas ? replicas : allowedSize(deployment, withCurrent(rollout), sizeOf(current));
    const { set, changed } = await controller.resize(deployment, current, size);
    replace(rollout, set);
    if (changed) return;
  }
  if (await shrinkOld(controller, rollout)) return;
  if (isComplete(deployment, deployment.status ?? {})) await cleanUp(controller, rollout);
}

async function shrinkOld(controller: ReplicaSetWriter, rollout: Rollout): Promise<boolean> {
  const { deployment } = rollout;
  const current = rollout.current as ReplicaSet;
  const active = rollout.old.filter((set) => sizeOf(set) > 0).sort(byCreation);
  if (active.length === 0) return false;
  const least = (deployment.spec.replicas ?? 1) - limitsOf(deployment).unavailable;
  const unavailable = sizeOf(current) - (current.status?.availableReplicas ?? 0);
  const most = specReplicas(withCurrent(rollout)) - least - unavailable;
  if (most <= 0) return false;
  let total = 0;
  const shrink = async (set: ReplicaSet, by: number): Promise<ReplicaSet> => {
    const result = await controller.resize(deployment, set, sizeOf(set) - by);
    replace(rollout, result.set);
    total += by;
    return result.set;
  };
  // Pods that don't work go first.
  for (const [index, set] of active.entries()) {
    const unhealthy = sizeOf(set) - (set.status?.availableReplicas ?? 0);
    const by = Math.min(most - total, unhealthy);
    if (by > 0) active[index] = await shrink(set, by);
  }
  let spare = countReplicas(withCurrent(rollout), "availableReplicas") - least;
  for (const set of active) {
    const by = Math.min(sizeOf(set), spare);
    if (by <= 0) continue;
    await shrink(set, by);
    spare -= by;
  }
  return total > 0;
}

/**
 * Continues an update that replaces all Pods: scales down old ReplicaSets, waits for their Pods, then scales up the current
 * one.
 *
 * @param controller - writes
 * @param rollout - the Deployment and its ReplicaSets
 */
export async function recreate(controller: ReplicaSetWriter, rollout: Rollout): Promise<void> {
  const { deployment } = rollout;
  let shrunk = false;
  for (const set of rollout.old.filter((replicaSet) => sizeOf(replicaSet) > 0)) {
    const result = await controller.resize(deployment, set, 0);
    replace(rollout, result.set);
    shrunk ||= result.changed;
  }
  if (shrunk || controller.hasOldPods(rollout)) return;
  const current = await controller.ensureCurrent(rollout);
  if (current === undefined) return;
  const { set } = await controller.resize(deployment, current, deployment.spec.replicas ?? 1);
  replace(rollout, set);
  if (isComplete(deployment, deployment.status ?? {})) await cleanUp(controller, rollout);
}

/**
 * Applies a new number of replicas, in proportion to the sizes of the ReplicaSets during a rollout.
 *
 * @param controller - writes
 * @param rollout - the Deployment and its ReplicaSets
 */
export async function scale(controller: ReplicaSetWriter, rollout: Rollout): Promise<void> {
  const { deployment, current } = rollout;
  const replicas = deployment.spec.replicas ?? 1;
  const active = withCurrent(rollout).filter((set) => sizeOf(set) > 0);
  const resize = async (set: ReplicaSet, size: number, force: boolean): Promise<void> => {
    replace(rollout, (await controller.resize(deployment, set, size, force)).set);
  };
  if (active.length <= 1) {
    const latest = active[0] ?? current ?? [...rollout.old].sort(byCreation).at(-1);
    if (latest !== undefined && sizeOf(latest) !== replicas) await resize(latest, replicas, false);
    return;
  }
  if (current !== undefined && isSaturated(current, replicas)) {
    for (const set of active) if (set !== current) await resize(set, 0, false);
    return;
  }
  if (deployment.spec.strategy?.type !== "RollingUpdate") return;
  const allowed = replicas > 0 ? replicas + limitsOf(deployment).surge : 0;
  const toAdd = allowed - specReplicas(active);
  const newerFirst = toAdd > 0;
  active.sort((a, b) => sizeOf(b) - sizeOf(a) || (newerFirst ? byCreation(b, a) : byCreation(a, b)));
  let added = 0;
  const sizes = active.map((set) => {
    const proportion = proportionOf(deployment, set, toAdd, added);
    added += proportion;
    return sizeOf(set) + proportion;
  });
  sizes[0] = Math.max(0, (sizes[0] as number) + toAdd - added);
  for (const [index, set] of active.entries()) await resize(set, sizes[index] as number, true);
}

function isSaturated(set: ReplicaSet, replicas: number): boolean {
  return sizeOf(set) === replicas && desiredOf(set) === replicas && set.status?.availableReplicas === replicas;
}

/**
 * Deletes old ReplicaSets beyond the limit of the history.
 *
 * @param controller - writes
 * @param rollout - the Deployment and its ReplicaSets
 */
export async function cleanUp(controller: ReplicaSetWriter, { deployment, old }: Rollout): Promise<void> {
  const limit = deployment.spec.revisionHistoryLimit ?? unlimited;
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (limit === unlimited || alive.length <= limit) return;
  alive.sort((a, b) => Number((revisionOf(a) ?? 0n) - (revisionOf(b) ?? 0n)) || byCreation(a, b));
  for (const set of alive.slice(0, alive.length - limit)) {
    const observed = (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0);
    if (sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && observed) await controller.remove(set);
  }
}
