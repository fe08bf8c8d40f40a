import { equalJson } from "@kubewright/cel/json";
import { byCreation, type PodTemplate, type ReplicaSet, scaledAmount } from "../common/objects.ts";
import type { Deployment } from "./types.ts";

/** The label by which ReplicaSets of a Deployment differ. */
export const hashLabel = "pod-template-hash";
/** The annotation with the number of a rollout. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";

const historyAnnotation = "deployment.kubernetes.io/revision-history";
const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
const maxAnnotation = "deployment.kubernetes.io/max-replicas";
const longestHistory = 2000;

/** The annotations of a Deployment that aren't copied to its ReplicaSets. */
const notCopied = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

/** Compares two templates without the label of their hash. */
export function equalTemplates(left: PodTemplate | undefined, right: PodTemplate | undefined): boolean {
  return equalJson(withoutHash(left), withoutHash(right));
}

function withoutHash(template: PodTemplate | undefined): PodTemplate {
  if (template === undefined) return { spec: { containers: [] } };
  if (template.metadata?.labels?.[hashLabel] === undefined) return template;
  const { [hashLabel]: _, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Returns the oldest ReplicaSet with the template of the Deployment. */
export function findNew(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return [...sets].sort(byCreation).find(({ spec }) => equalTemplates(spec.template, deployment.spec.template));
}

/** Returns the revision of a ReplicaSet; undefined if it isn't an integer of 64 bits. */
export function revisionOf({ metadata }: ReplicaSet): bigint | undefined {
  const text = metadata.annotations?.[revisionAnnotation] ?? "0";
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const revision = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** Returns the highest revision of some ReplicaSets; 0 without any. */
export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  return sets.map((set) => revisionOf(set) ?? 0n).reduce((highest, one) => (one > highest ? one : highest), 0n);
}

/** Returns how many Pods above and below the number of replicas a rollout may have. */
export function limitsOf({ spec }: Deployment): { surge: number; unavailable: number } {
  if (spec.strategy?.type !== "RollingUpdate") return { surge: 0, unavailable: 0 };
  const replicas = spec.replicas ?? 1;
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate ?? {};
  const surge = scaledAmount(maxSurge, replicas, true);
  const unavailable = scaledAmount(maxUnavailable, replicas, false);
  if (replicas === 0) return { surge, unavailable: 0 };
  // Rounding down may leave no way to proceed.
  return { surge, unavailable: Math.min(replicas, surge === 0 && unavailable === 0 ? 1 : unavailable) };
}

/**
 * Sets the annotations of the ReplicaSet of the current revision.
 *
 * @param deployment - the Deployment
 * @param set - the ReplicaSet; changed
 * @param revision - the revision after that of all older ReplicaSets
 * @param exists - false for a ReplicaSet that is about to be created
 * @returns true if something changed
 */
export function annotateNew(deployment: Deployment, set: ReplicaSet, revision: bigint, exists: boolean): boolean {
  set.metadata.annotations ??= {};
  const { annotations } = set.metadata;
  let changed = false;
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (notCopied.has(key) || annotations[key] === value) continue;
    annotations[key] = value;
    changed = true;
  }
  const old = annotations[revisionAnnotation];
  const before = revisionOf(set);
  if (before === undefined) return false;
  if (before < revision) {
    annotations[revisionAnnotation] = String(revision);
    changed = true;
    if (old !== undefined) addToHistory(annotations, old);
  }
  if (!exists && annotateReplicas(deployment, set)) changed = true;
  return changed;
}

/** Keeps the earlier revisions of a ReplicaSet that is used again. */
function addToHistory(annotations: { [key: string]: string }, revision: string): void {
  const history = annotations[historyAnnotation] ?? "";
  const revisions = history === "" ? [] : history.split(",");
  revisions.push(revision);
  while (revisions.length > 1 && revisions.join(",").length > longestHistory) revisions.shift();
  annotations[historyAnnotation] = revisions.join(",");
}

/**
 * Sets the annotations with the size of the Deployment, from which later scaling follows.
 *
 * @param deployment - the Deployment
 * @param set - the ReplicaSet; changed
 * @returns true if something changed
 */
export function annotateReplicas(deployment: Deployment, set: ReplicaSet): boolean {
  set.metadata.annotations ??= {};
  const { annotations } = set.metadata;
  const replicas = deployment.spec.replicas ?? 1;
  const desired = String(replicas);
  const most = String(replicas + limitsOf(deployment).surge);
  const changed = annotations[desiredAnnotation] !== desired || annotations[maxAnnotation] !== most;
  annotations[desiredAnnotation] = desired;
  annotations[maxAnnotation] = most;
  return changed;
}

/** Returns the size of the Deployment when a ReplicaSet was last scaled. */
export function desiredOf(set: ReplicaSet): number | undefined {
  return countOf(set, desiredAnnotation);
}

function countOf({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation] ?? "";
  return /^\d+$/.test(text) && Number(text) <= 2 ** 31 - 1 ? Number(text) : undefined;
}

/**
 * Computes the part of a ReplicaSet in a change of the size of its Deployment.
 *
 * @param deployment - the Deployment
 * @param set - the ReplicaSet
 * @param toAdd - how many replicas are to be added in all; negative to remove
 * @param added - how many of them other ReplicaSets have
 * @returns how many replicas the set gets more
 */
export function proportionOf(deployment: Deployment, set: ReplicaSet, toAdd: number, added: number): number {
  const size = set.spec.replicas ?? 0;
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(deployment, set, size);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function fractionOf(deployment: Deployment, set: ReplicaSet, size: number): number {
  const replicas = deployment.spec.replicas ?? 1;
  if (replicas === 0) return -size;
  const before = countOf(set, maxAnnotation) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const exact = (size * (replicas + limitsOf(deployment).surge)) / before;
  return Math.floor(exact + 0.5) - size;
}
