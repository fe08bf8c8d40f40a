import type { KubernetesObject } from "../api/index.ts";
import { appliedFieldsOf, appliedFieldsText } from "../cache/applied-fields.ts";
import type { Stored } from "../client/client.ts";
import { isNoMatch } from "../errors/no-match-error.ts";
import {
  findApiError,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
} from "../errors/predicates.ts";
import { errorText } from "../log/error-text.ts";
import { covers, splitSet } from "./field-set.ts";
import { migrate } from "./migrate.ts";
import { hashAnnotation } from "./names.ts";
import type { Outcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import { type Child, isSecret } from "./wanted.ts";

/** Number of attempts if the cache is behind the server. */
const attempts = 3;
/** Number of applies that a process remembers. The oldest is forgotten, which costs one request. */
const remembered = 10_000;
/** A version that no object has: the server accepts an apply with it only if it creates the object. */
const beforeAll = "1";

/** Returns an outcome of a wanted child. */
export function outcomeOf(child: Child, outcome: Pick<Outcome, "action" | "object" | "message" | "error">): Outcome {
  const { entry, kind, namespace, name } = child;
  return { child: entry.name, entry, kind: kind.kind, namespace, name, ...outcome };
}

/** Whether a child needs no apply: nothing changed since the last one, in the wanted fields and by other managers. */
export function isSettled(run: Run, child: Child, object: Stored<KubernetesObject>): boolean {
  if (object.metadata.annotations?.[hashAnnotation] !== child.hash) return false;
  if (isSecret(child.kind) && !hasWantedValues(child, object)) return false;
  const last = run.memory.applies.get(memoryKey(run, child));
  const isLast = last?.hash === child.hash;
  if (isLast && last.resourceVersion === object.metadata.resourceVersion) return true;
  if (run.memory.covered.get(object) === child.hash) return true;
  const applied = appliedFieldsOf(object, run.declaration.fieldOwner);
  if (!applied) return false;
  if (applied.apiVersion === child.kind.apiVersion && covers(child.fields, applied.fields)) {
    run.memory.covered.set(object, child.hash);
    return true;
  }
  return isLast && last.fields !== undefined && last.fields === appliedFieldsText(applied);
}

/** Applies a child that isn't settled. The object is the cached one, which the owner may take over. */
export async function applyChild(
  run: Run,
  child: Child,
  cached: Stored<KubernetesObject> | undefined,
): Promise<Outcome> {
  let current = cached;
  for (let attempt = 1; ; attempt++) {
    try {
      return current ? await configure(run, child, current) : await create(run, child);
    } catch (error) {
      if (attempt === attempts || !isStale(error, current)) return failure(run, child, current, error);
      try {
        current = await liveChild(run, child);
      } catch (readError) {
        return failure(run, child, current, readError);
      }
      const refused = current && refusal(run, child, current);
      if (refused) return refused;
    }
  }
}

/** Returns the outcome for an object that the owner may not change; `undefined` if it may. */
export function refusal(run: Run, child: Child, object: Stored<KubernetesObject>): Outcome | undefined {
  const relation = run.set.relationTo(object);
  if (relation.is === "own" || (relation.is === "ownerless" && child.entry.adoptsOwnerless)) return undefined;
  if (relation.is === "leaving") return outcomeOf(child, { action: "waiting", object, message: relation.why });
  const why =
    relation.is === "foreign"
      ? relation.why
      : `it exists and isn't controlled by ${run.set.kind.kind} ${run.set.name}: delete it, or set adopt: "ownerless"`;
  return outcomeOf(child, { action: "blocked", message: why });
}

function liveChild(run: Run, { kind, namespace, name }: Child): Promise<Stored<KubernetesObject> | undefined> {
  const { signal } = run.ctx;
  return ignoreNotFound(run.reader.live.get(kind, { namespace, name }, { signal }));
}

async function create(run: Run, child: Child): Promise<Outcome> {
  const { fieldOwner, creator } = run.declaration;
  const { signal } = run.ctx;
  if (child.whole !== child.body) {
    const created = await run.client.create(child.whole, { fieldOwner: creator, signal });
    let object = created;
    try {
      object = await migrate(run, child, created, true);
    } catch (error) {
      // The next reconcile moves the fields.
      if (!isConflict(error)) return outcomeOf(child, { action: "failed", object, message: errorText(error), error });
    }
    return outcomeOf(child, { action: "created", object });
  }
  // Another object of this name that the cache doesn't have yet isn't changed: the apply fails with a conflict.
  const metadata = { ...child.body.metadata, resourceVersion: beforeAll };
  const object = await run.client.apply({ ...child.body, metadata }, { fieldOwner, force: true, signal });
  remember(run, child, object);
  return outcomeOf(child, { action: "created", object });
}

async function configure(run: Run, child: Child, current: Stored<KubernetesObject>): Promise<Outcome> {
  const { fieldOwner } = run.declaration;
  const { signal } = run.ctx;
  let object = current;
  if (needsMigration(run, child, current)) {
    const isWhole = (current.metadata.managedFields?.length ?? 0) > 0;
    const live = isWhole ? current : await liveChild(run, child);
    if (!live) return create(run, child);
    const refused = refusal(run, child, live);
    if (refused) return refused;
    object = await migrate(run, child, live, false);
    if (isSettled(run, child, object)) return outcomeOf(child, { action: "configured", object });
  }
  // The UID protects another object that has replaced the child.
  const metadata = { ...child.body.metadata, uid: object.metadata.uid };
  const stored = await run.client.apply({ ...child.body, metadata }, { fieldOwner, force: true, signal });
  remember(run, child, stored);
  const isSame = stored.metadata.resourceVersion === current.metadata.resourceVersion;
  return outcomeOf(child, { action: isSame ? "unchanged" : "configured", object: stored });
}

/** Whether fields may have to move between managers: at the first apply, or if paths of `createOnly` were applied before. */
function needsMigration(run: Run, child: Child, object: Stored<KubernetesObject>): boolean {
  const applied = appliedFieldsOf(object, run.declaration.fieldOwner);
  return !applied || splitSet(applied.fields, child.entry.createOnly).inside !== undefined;
}

/** Returns the outcome of a rejected apply, after trying to create the child again if that is allowed. */
async function failure(
  run: Run,
  child: Child,
  current: Stored<KubernetesObject> | undefined,
  error: unknown,
): Promise<Outcome> {
  const { entry, kind } = child;
  const failed = (reason: unknown): Outcome =>
    outcomeOf(child, { action: "failed", object: current, message: errorText(reason), error: reason });
  if (isNoMatch(error) && entry.optional) {
    return outcomeOf(child, { action: "skipped", message: `${kind.kind} isn't installed` });
  }
  if (!current || !entry.recreates || !isInvalid(error)) return failed(error);
  try {
    return (await recreate(run, child)) ?? failed(error);
  } catch (reason) {
    return failed(reason);
  }
}

/** Deletes a child and creates it again. Returns `undefined` if that isn't allowed or doesn't help. */
async function recreate(run: Run, child: Child): Promise<Outcome | undefined> {
  const { kind, namespace, name } = child;
  const { signal } = run.ctx;
  for (let attempt = 1; ; attempt++) {
    // The cached object can be older: it may belong to another owner by now.
    const live = await liveChild(run, child);
    const refused = live && refusal(run, child, live);
    if (refused) return refused;
    // The data of an object that the owner only wants to adopt isn't that of a child.
    if ((live && !run.set.controls(live)) || !(await isValidNew(run, child))) return undefined;
    try {
      if (live) {
        const { uid, resourceVersion } = live.metadata;
        const preconditions = { uid, resourceVersion };
        await run.client.delete(kind, { namespace, name }, { preconditions, propagationPolicy: "Background", signal });
      }
    } catch (error) {
      if (isConflict(error) && attempt < attempts) continue;
      if (!isNotFound(error)) throw error;
    }
    try {
      const { object } = await create(run, child);
      return outcomeOf(child, { action: "recreated", object });
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
      return outcomeOf(child, { action: "waiting", object: live, message: "it is being deleted, to be created again" });
    }
  }
}

/** Whether the server would accept the child as a new object: then only an immutable field is the problem. */
async function isValidNew(run: Run, child: Child): Promise<boolean> {
  try {
    await run.client.create(child.whole, { dryRun: true, fieldOwner: run.declaration.creator, signal: run.ctx.signal });
    return true;
  } catch (error) {
    return isAlreadyExists(error);
  }
}

/** Whether a request failed because the object isn't the one that the cache contains. */
function isStale(error: unknown, current: Stored<KubernetesObject> | undefined): boolean {
  if (isConflict(error) || isAlreadyExists(error)) return true;
  if (!current) return false;
  const causes = findApiError(error)?.status.details?.causes ?? [];
  return isNotFound(error) || (isInvalid(error) && causes.some(({ field }) => field === "metadata.uid"));
}

function remember(run: Run, child: Child, object: Stored<KubernetesObject>): void {
  const applied = appliedFieldsOf(object, run.declaration.fieldOwner);
  const isCovered = applied && covers(child.fields, applied.fields);
  const { applies } = run.memory;
  const key = memoryKey(run, child);
  applies.delete(key);
  applies.set(key, {
    hash: child.hash,
    resourceVersion: object.metadata.resourceVersion,
    fields: applied && !isCovered ? appliedFieldsText(applied) : undefined,
  });
  const [oldest] = applies.keys();
  if (applies.size > remembered && oldest !== undefined) applies.delete(oldest);
}

/** Identifies a child among those of all owners. */
export function memoryKey(run: Run, child: Child): string {
  return `${run.set.uid}/${child.id}`;
}

function hasWantedValues(child: Child, object: KubernetesObject): boolean {
  const wanted = (child.fields as { data?: Readonly<Record<string, unknown>> }).data ?? {};
  const data = (object as { data?: Readonly<Record<string, unknown>> }).data ?? {};
  return Object.entries(wanted).every(([key, value]) => value === undefined || data[key] === value);
}
