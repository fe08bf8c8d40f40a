import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import { managersOf } from "../cache/applied-fields.ts";
import type { Stored } from "../client/client.ts";
import { kindOf } from "../controllerutil/kind-of.ts";
import { isNoMatch } from "../errors/no-match-error.ts";
import { errorText } from "../log/error-text.ts";
import { applyChild, isSettled, memoryKey, outcomeOf, refusal } from "./apply-child.ts";
import { declaredKinds, type Entry, entriesOf, entryNameOf } from "./declaration.ts";
import type { Outcome } from "./outcome.ts";
import {
  contentOf,
  hasFinalizer,
  isMarked,
  listedContent,
  markOwner,
  withoutKinds,
  writeMarks,
} from "./owner-marks.ts";
import { isAnyChild } from "./owner-set.ts";
import { pruneChildren } from "./prune.ts";
import { isApplied, readinessOf } from "./report.ts";
import type { Run } from "./run.ts";
import { type Child, type ChildInput, childId, childOf, type Inputs } from "./wanted.ts";

/** The state of an owner's children before the reconcile. */
interface Observed {
  /** The objects that the owner controls, by {@link childId}. */
  readonly owned: Map<string, Stored<KubernetesObject>>;
  readonly failures: Map<string, unknown>;
}

/** Applies and prunes the children of an owner that isn't being deleted. */
export async function reconcileChildren(run: Run, inputs: Inputs): Promise<Outcome[]> {
  const { children, outcomes } = await resolve(run, inputs);
  const kinds = kindsOf(run, inputs);
  const observed = await observe(run, kinds);
  const failure = await prepareOwner(run, children);
  const applied = await applyEntries(run, { inputs, children, observed, failure, outcomes });
  for (const [kind, error] of observed.failures) {
    if ([...applied, ...outcomes].some((outcome) => outcome.kind === kind && outcome.action === "failed")) continue;
    // Children that aren't wanted can be left, whatever happened to the wanted ones of the kind.
    outcomes.push({ ...nameless(kind), action: "failed", message: errorText(error), error, isPrune: true });
  }
  const all = [...outcomes, ...applied];
  const wanted = new Set(children.map(({ id }) => id));
  const others = [...observed.owned.values()].filter((object) => !wanted.has(idOf(object)));
  const kept = others.filter((object) => entriesOf(run.declaration, object).some(({ name }) => inputs.kept.has(name)));
  for (const object of kept) all.push(keptOutcome(run, object));
  if (!all.every((outcome) => isApplied(outcome) || outcome.action === "kept" || outcome.action === "skipped"))
    return all;
  const pruned = await pruneChildren(
    run,
    others.filter((object) => !kept.includes(object)),
  );
  all.push(...pruned);
  if (hasFinalizer(run) || isMarked(run)) {
    const gone = new Set(
      pruned.flatMap(({ action, object }) => (action === "pruned" && object ? [object.metadata.uid] : [])),
    );
    const left = others.filter((object) => !gone.has(object.metadata.uid) && isAnyChild(object));
    await settleOwner(run, { children, kinds, left });
  }
  return all;
}

/** Returns the kinds of which the owner can have children. */
export function kindsOf(run: Run, inputs: Inputs): Kind[] {
  const { anyKinds } = run.memory;
  for (const { entry, kind } of inputs.children) if (!entry.kind) anyKinds.set(`${kind.apiVersion}/${kind.kind}`, kind);
  const kinds = [...declaredKinds(run.declaration), ...anyKinds.values()];
  // Versions of one kind have the same objects.
  return [...new Map(kinds.reverse().map((kind) => [groupKind(kind), kind])).values()];
}

/** Returns the wanted children. Kinds that can't be found are outcomes. */
async function resolve(run: Run, { children: inputs }: Inputs): Promise<{ children: Child[]; outcomes: Outcome[] }> {
  const children: Child[] = [];
  const outcomes: Outcome[] = [];
  const ids = new Set<string>();
  const scopes = new Map<string, Scope>();
  for (const input of inputs) {
    const { entry, kind, given } = input;
    const key = `${entry.name}/${kind.apiVersion}/${kind.kind}`;
    const scope = scopes.get(key) ?? (await scopeOf(run, input));
    scopes.set(key, scope);
    if (typeof scope !== "boolean") {
      const { namespace = run.set.namespace, name = run.set.name } = given.metadata ?? {};
      outcomes.push({ child: entry.name, entry, kind: kind.kind, namespace, name, ...scope });
      continue;
    }
    const child = childOf(run.declaration, run.set, input, scope);
    if (ids.has(child.id)) {
      throw new TypeError(`children of ${run.set.kind.kind}: ${child.kind.kind} ${child.name} is wanted twice`);
    }
    ids.add(child.id);
    children.push(child);
  }
  return { children, outcomes };
}

/** Whether a kind is namespaced, or what happens to its children because it can't be found. */
type Scope = boolean | Pick<Outcome, "action" | "message" | "error">;

async function scopeOf(run: Run, { entry, kind }: ChildInput): Promise<Scope> {
  const skipped = { action: "skipped", message: `${kind.kind} isn't installed` } as const;
  try {
    if (!entry.kind) await run.link?.watch(kind);
    if (entry.optional && (await run.reader.owned(kind, run.set)) === undefined) return skipped;
    return await run.client.isObjectNamespaced(kind);
  } catch (error) {
    if (entry.optional && isNoMatch(error)) return skipped;
    return { action: "failed", message: errorText(error), error };
  }
}

export async function observe(run: Run, kinds: readonly Kind[]): Promise<Observed> {
  const owned = new Map<string, Stored<KubernetesObject>>();
  const failures = new Map<string, unknown>();
  await Promise.all(
    kinds.map(async (kind) => {
      try {
        for (const object of (await run.reader.owned(kind, run.set)) ?? []) owned.set(idOf(object), object);
      } catch (error) {
        failures.set(kind.kind, error);
      }
    }),
  );
  return { owned, failures };
}

/** Prepares the owner for children that need it. Returns the error, because of which no such child is applied. */
async function prepareOwner(run: Run, children: readonly Child[]): Promise<unknown> {
  const labeled = children.filter(({ isLabeled }) => isLabeled);
  if (labeled.length === 0 && (!run.declaration.isOrdered || children.length === 0)) return undefined;
  try {
    await markOwner(run, labeled);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function applyEntries(
  run: Run,
  parts: {
    inputs: Inputs;
    children: readonly Child[];
    observed: Observed;
    failure: unknown;
    outcomes: readonly Outcome[];
  },
): Promise<Outcome[]> {
  const { inputs, children, observed, failure } = parts;
  const { entries, isOrdered } = run.declaration;
  const byEntry = new Map<string, Child[]>();
  for (const child of children) {
    const siblings = byEntry.get(child.entry.name);
    if (siblings) siblings.push(child);
    else byEntry.set(child.entry.name, [child]);
  }
  const outcomes = new Map<string, Outcome[]>();
  for (const outcome of parts.outcomes) outcomes.set(outcome.child, [...(outcomes.get(outcome.child) ?? []), outcome]);
  const now = run.clock.date();
  const isEntryReady = (name: string): boolean => {
    if (inputs.kept.has(name)) {
      const kept = [...observed.owned.values()].filter((object) => entryNameOf(object) === name);
      return kept.every((object) => readinessOf(entries.get(name), object, now).ready);
    }
    return (outcomes.get(name) ?? []).every(
      (outcome) =>
        outcome.action === "skipped" ||
        (isApplied(outcome) && outcome.object && readinessOf(outcome.entry, outcome.object, now).ready),
    );
  };
  const applied: Outcome[][] = [];
  const running = new Map<string, Promise<void>>();
  const runEntry = async (entry: Entry): Promise<void> => {
    await Promise.all(entry.after.map((name) => running.get(name)));
    const waitsFor = entry.after.filter((name) => !isEntryReady(name));
    const own = await Promise.all(
      (byEntry.get(entry.name) ?? []).map((child) => {
        const object = observed.owned.get(child.id);
        if (object && !object.metadata.deletionTimestamp && isSettled(run, child, object)) {
          return outcomeOf(child, { action: "unchanged", object });
        }
        if (failure !== undefined && (child.isLabeled || isOrdered)) {
          return outcomeOf(child, { action: "failed", object, message: errorText(failure), error: failure });
        }
        return applyOne(run, child, object, waitsFor);
      }),
    );
    outcomes.set(entry.name, [...(outcomes.get(entry.name) ?? []), ...own]);
    applied.push(own);
  };
  for (const entry of entries.values()) running.set(entry.name, runEntry(entry));
  await Promise.all(running.values());
  return applied.flat();
}

/** Applies a child that isn't settled, if its order, its owner and other writers permit it. */
async function applyOne(
  run: Run,
  child: Child,
  owned: Stored<KubernetesObject> | undefined,
  waitsFor: readonly string[],
): Promise<Outcome> {
  run.ctx.signal.throwIfAborted();
  let object = owned;
  try {
    object ??= await run.limit(() => run.reader.get(child.kind, { namespace: child.namespace, name: child.name }));
  } catch (error) {
    return outcomeOf(child, { action: "failed", message: errorText(error), error });
  }
  const refused = object && refusal(run, child, object);
  if (refused) return refused;
  if (waitsFor.length > 0) {
    return outcomeOf(child, { action: "waiting", object, message: `it waits for ${waitsFor.join(", ")}` });
  }
  const { contention } = run.memory;
  const key = memoryKey(run, child);
  const delay = contention.delay(key, child.hash, run.clock.now());
  if (object && delay > 0) {
    run.link?.requeue(run.set, delay);
    return outcomeOf(child, { action: "contested", object, message: `it is applied again in ${seconds(delay)}` });
  }
  const outcome = await run.limit(() => applyChild(run, child, object));
  if (outcome.action !== "configured" || !contention.configured(key, child.hash, run.clock.now())) return outcome;
  const next = contention.delay(key, child.hash, run.clock.now());
  run.link?.requeue(run.set, next);
  const message = `${otherManagers(run, object)} changes it again and again; it is applied again in ${seconds(next)}`;
  return { ...outcome, action: "contested", message };
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

/** Returns the names of the other field managers of an object, before an apply took its fields over. */
function otherManagers({ declaration }: Run, object: KubernetesObject | undefined): string {
  const own = [declaration.fieldOwner, declaration.creator];
  const names = (object ? managersOf(object) : []).filter((name) => !own.includes(name));
  return names.length > 0 ? names.join(", ") : "another writer";
}

/**
 * Lists on the owner what is left after pruning: children without owner references, and kinds that this declaration doesn't
 * contain, because another one or a former version has applied them. If nothing is left, the owner needs no finalizer.
 */
async function settleOwner(
  run: Run,
  parts: { children: readonly Child[]; kinds: readonly Kind[]; left: readonly Stored<KubernetesObject>[] },
): Promise<void> {
  const { children, kinds, left } = parts;
  const labeled = [
    ...children.filter(({ isLabeled }) => isLabeled),
    ...left
      .map((object) => ({ kind: kindOf(object), namespace: object.metadata.namespace ?? "" }))
      .filter(({ namespace }) => !run.set.canReference(namespace)),
  ];
  const listed = listedContent(run);
  const others = withoutKinds(listed, kinds);
  const own = contentOf(run, labeled);
  const wanted = {
    kinds: new Set([...own.kinds, ...others.kinds]),
    namespaces: new Set([...own.namespaces, ...others.namespaces]),
  };
  const isSame = wanted.kinds.size === listed.kinds.size && wanted.namespaces.size === listed.namespaces.size;
  const isNeeded = wanted.kinds.size > 0 || (run.declaration.isOrdered && children.length > 0);
  if (isSame && isNeeded) return;
  await writeMarks(run, wanted.kinds.size > 0 ? wanted : undefined, isNeeded);
}

function keptOutcome({ declaration }: Run, object: Stored<KubernetesObject>): Outcome {
  const child = entryNameOf(object);
  const { namespace = "", name } = object.metadata;
  return { child, entry: declaration.entries.get(child), kind: object.kind, namespace, name, action: "kept", object };
}

function nameless(kind: string): Pick<Outcome, "child" | "entry" | "kind" | "namespace" | "name"> {
  return { child: "", entry: undefined, kind, namespace: "", name: "" };
}

function idOf(object: Stored<KubernetesObject>): string {
  const slash = object.apiVersion.indexOf("/");
  const group = slash === -1 ? "" : object.apiVersion.slice(0, slash);
  return childId({ group, kind: object.kind }, object.metadata.namespace, object.metadata.name);
}
