import { groupOf } from "../kinds/named-kind.ts";

/** A kind, as records and objects contain it. */
export interface LabeledKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/**
 * Returns a function that returns the name of a kind for people. If kinds of several groups have the same name, it contains
 * the group: `Game.example.com`.
 *
 * @param refs - everything that is shown together
 */
export function kindLabels(refs: readonly LabeledKind[]): (ref: LabeledKind) => string {
  const groups = new Map<string, Set<string>>();
  for (const { apiVersion, kind = "" } of refs) {
    if (apiVersion === undefined) continue;
    const ofKind = groups.get(kind) ?? new Set();
    groups.set(kind, ofKind.add(groupOf(apiVersion)));
  }
  return ({ apiVersion = "", kind = "" }) => {
    const group = groupOf(apiVersion);
    return group !== "" && (groups.get(kind)?.size ?? 0) > 1 ? `${kind}.${group}` : kind;
  };
}

/** Returns everything of a reconcile that has a kind. */
export function kindsOf({
  object,
  reasons,
  reads,
  writes,
}: {
  readonly object: LabeledKind;
  readonly reasons: readonly LabeledKind[];
  readonly reads: readonly LabeledKind[];
  readonly writes: readonly LabeledKind[];
}): LabeledKind[] {
  return [object, ...reasons, ...reads, ...writes];
}
