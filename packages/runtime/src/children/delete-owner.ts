import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Stored } from "../client/client.ts";
import { errorText } from "../log/error-text.ts";
import { installed } from "./child-reader.ts";
import { prunes } from "./declaration.ts";
import { partOfLabel } from "./names.ts";
import type { Outcome } from "./outcome.ts";
import { hasFinalizer, listedContent, listedKinds, withoutKinds, writeMarks } from "./owner-marks.ts";
import { isAnyChild, isAppliedChild } from "./owner-set.ts";
import { pruneChildren } from "./prune.ts";
import { kindsOf, observe } from "./reconcile-children.ts";
import type { Run } from "./run.ts";
import type { Inputs } from "./wanted.ts";

/**
 * Deletes the children of an owner that is being deleted, and removes its finalizer when they are gone. Without the finalizer,
 * the garbage collector deletes them. Nothing is created.
 */
export async function deleteOwner(run: Run, inputs: Inputs): Promise<Outcome[]> {
  if (!hasFinalizer(run)) return [];
  const kinds = kindsOf(run, inputs);
  const { owned, failures } = await observe(run, kinds);
  const outcomes = [...failures].map(([kind, error]) => failed(kind, error));
  const labeled = await listLabeled(run, kinds);
  outcomes.push(...labeled.failures);
  const all = new Map<string, Stored<KubernetesObject>>();
  for (const object of [...owned.values(), ...labeled.objects]) {
    const isLabeled = !run.set.canReference(object.metadata.namespace ?? "");
    if (isLabeled || run.declaration.isOrdered) all.set(object.metadata.uid, object);
  }
  const pruned = await pruneChildren(run, [...all.values()]);
  outcomes.push(...pruned);
  if (outcomes.some(({ action }) => action === "failed" || action === "waiting")) return outcomes;
  // Deleted objects can still have finalizers of others. Copies of children aren't deleted, and nothing waits for them.
  const left = await listLabeled(run, kinds);
  const isLeft = left.objects.some((object) => isAnyChild(object) && prunes(run.declaration, object));
  if (left.failures.length > 0 || isLeft || (run.declaration.isOrdered && (await hasOwned(run, kinds)))) {
    return [...outcomes, ...left.failures];
  }
  try {
    const listed = listedContent(run);
    const others = withoutKinds(listed, kinds);
    // The other declarations of the owner have children: the last one removes the finalizer.
    if (others.kinds.size > 0) await writeMarks(run, others, true);
    else await writeMarks(run, listed.kinds.size > 0 ? listed : undefined, false);
  } catch (error) {
    outcomes.push(failed(run.set.kind.kind, error));
  }
  return outcomes;
}

/** Whether children that this declaration has applied still exist, or can't be read. */
async function hasOwned(run: Run, kinds: readonly Kind[]): Promise<boolean> {
  const { owned, failures } = await observe(run, kinds);
  const { declaration } = run;
  return (
    failures.size > 0 ||
    [...owned.values()].some(
      (object) => isAppliedChild(object, declaration.fieldOwner) !== false && prunes(declaration, object),
    )
  );
}

/** Reads the children without owner references from the server, because the cache may not have the last ones. */
async function listLabeled(
  run: Run,
  kinds: readonly Kind[],
): Promise<{ objects: Stored<KubernetesObject>[]; failures: Outcome[] }> {
  const objects: Stored<KubernetesObject>[] = [];
  const failures: Outcome[] = [];
  const listed = listedKinds(run, kinds);
  for (const name of listed.unknown) {
    failures.push(failed(name, new Error(`the set contains ${name}, which isn't declared: add it to former`)));
  }
  const namespaces = [run.set.namespace, ...listedContent(run).namespaces];
  for (const kind of listed.kinds) {
    try {
      const isNamespaced = await installed(run.client.isObjectNamespaced(kind));
      if (isNamespaced === undefined) continue;
      for (const namespace of isNamespaced ? namespaces : [undefined]) {
        const { signal } = run.ctx;
        const options = { labels: { [partOfLabel]: run.set.id }, signal, ...(namespace ? { namespace } : {}) };
        const list = await installed(run.reader.live.list(kind, options));
        objects.push(...(list?.items ?? []).filter((object) => run.set.controls(object)));
      }
    } catch (error) {
      failures.push(failed(kind.kind, error));
    }
  }
  return { objects, failures };
}

function failed(kind: string, error: unknown): Outcome {
  const identity = { child: "", entry: undefined, kind, namespace: "", name: "" };
  return { ...identity, action: "failed", message: errorText(error), error, isPrune: true };
}
