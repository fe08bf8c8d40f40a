import type { KubernetesObject } from "../api/index.ts";
import type { Stored } from "../client/client.ts";
import { kindOf } from "../controllerutil/kind-of.ts";
import { isNoMatch } from "../errors/no-match-error.ts";
import { ignoreNotFound, isConflict, isNotFound } from "../errors/predicates.ts";
import { errorText } from "../log/error-text.ts";
import { entryNameOf, prunes } from "./declaration.ts";
import type { Outcome } from "./outcome.ts";
import { isAppliedChild } from "./owner-set.ts";
import type { Run } from "./run.ts";

const attempts = 3;

/** An object that isn't wanted. */
type Candidate = Stored<KubernetesObject>;

/**
 * Deletes children in reverse order: those of an entry only after those of the entries that depend on it are gone.
 *
 * @param candidates - the objects that the owner controls and doesn't want
 */
export async function pruneChildren(run: Run, candidates: readonly Candidate[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const byEntry = new Map<string, Candidate[]>();
  for (const object of candidates) {
    if (isAppliedChild(object, run.declaration.fieldOwner) === false) continue;
    const name = entryNameOf(object);
    if (!prunes(run.declaration, object)) {
      outcomes.push(outcome(run, object, { action: "kept", message: "it isn't wanted, and prune is false" }));
    } else byEntry.set(name, [...(byEntry.get(name) ?? []), object]);
  }
  const remaining = new Set(byEntry.keys());
  for (const name of [...byEntry.keys()].sort((a, b) => positionOf(run, b) - positionOf(run, a))) {
    const dependents = [...remaining].filter((other) => isAfter(run, other, name));
    const objects = byEntry.get(name) ?? [];
    if (dependents.length > 0) {
      const message = `it is deleted after ${dependents.join(", ")}`;
      outcomes.push(...objects.map((object) => outcome(run, object, { action: "waiting", message, isPrune: true })));
      continue;
    }
    outcomes.push(...(await Promise.all(objects.map((object) => run.limit(() => pruneChild(run, object))))));
    if (byEntry.size === 1 || !(await exist(run, objects))) remaining.delete(name);
  }
  return outcomes;
}

/** Names of entries that aren't declared anymore come first, because their order isn't known. */
function positionOf(run: Run, name: string): number {
  const index = [...run.declaration.entries.keys()].indexOf(name);
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

function isAfter(run: Run, name: string, other: string): boolean {
  const { entries } = run.declaration;
  return entries.get(name)?.after.some((before) => before === other || isAfter(run, before, other)) ?? false;
}

/** Whether any of the objects still exists, for example because it has a finalizer. */
async function exist(run: Run, objects: readonly Candidate[]): Promise<boolean> {
  for (const object of objects) {
    const { namespace, name, uid } = object.metadata;
    try {
      const found = await run.limit(() => ignoreNotFound(run.reader.live.get(kindOf(object), { namespace, name })));
      if (found?.metadata.uid === uid) return true;
    } catch (error) {
      if (!isNoMatch(error)) return true;
    }
  }
  return false;
}

async function pruneChild(run: Run, cached: Candidate): Promise<Outcome> {
  const { namespace, name, uid } = cached.metadata;
  const kind = kindOf(cached);
  const { signal } = run.ctx;
  if (cached.metadata.deletionTimestamp) {
    return outcome(run, cached, { action: "waiting", message: "it is being deleted", isPrune: true });
  }
  const gone = (): Outcome => outcome(run, cached, { action: "pruned" });
  for (let attempt = 1; ; attempt++) {
    try {
      const live = await ignoreNotFound(run.reader.live.get(kind, { namespace, name }, { signal }));
      if (live?.metadata.uid !== uid) return gone();
      if (!run.set.controls(live) || isAppliedChild(live, run.declaration.fieldOwner) !== true) {
        return outcome(run, live, { action: "kept", message: "it doesn't belong to this owner anymore" });
      }
      const { resourceVersion } = live.metadata;
      const preconditions = { uid, resourceVersion };
      await run.client.delete(kind, { namespace, name }, { preconditions, propagationPolicy: "Background", signal });
      return gone();
    } catch (error) {
      if (isNotFound(error) || isNoMatch(error)) return gone();
      if (isConflict(error) && attempt < attempts) continue;
      return outcome(run, cached, { action: "failed", message: errorText(error), error, isPrune: true });
    }
  }
}

function outcome(
  run: Run,
  object: Candidate,
  rest: Pick<Outcome, "action" | "message" | "error" | "isPrune">,
): Outcome {
  const child = entryNameOf(object);
  const { namespace = "", name } = object.metadata;
  return { child, entry: run.declaration.entries.get(child), kind: object.kind, namespace, name, object, ...rest };
}
