import type { KubernetesObject } from "../../api/index.ts";
import { errorText } from "../../log/error-text.ts";
import { changes, describeChange, type FieldChange } from "../report/differences.ts";
import { builtIn, type Violation } from "../report/verdict.ts";
import { isOfUsers, isOperator, type State, type Tracked, titleOf } from "../world/state.ts";
import { touched } from "../world/touch.ts";
import { countOf, kindOf, noVariation, type Snapshot, surplus, type Varying } from "./snapshot.ts";

/** Number of objects that a message names. */
const mostNamed = 3;

/**
 * Compares a settled state with that of the run without faults.
 *
 * @param expected - the state of the run without faults
 * @param actual - the settled state
 * @param varying - what differs by nature
 * @param exchanges - values that objects have exchanged in earlier states. Those of this state are added
 */
export function checkConvergence(
  expected: Snapshot,
  actual: Snapshot,
  { fields, kinds, objects, counts }: Varying = noVariation,
  exchanges: Set<string> = new Set(),
): Violation | undefined {
  const problems: string[] = [];
  const differing: Difference[] = [];
  for (const [id, value] of expected) {
    if (kinds.has(kindOf(id)) || objects.has(id)) continue;
    if (!actual.has(id)) {
      problems.push(`${id} doesn't exist`);
      continue;
    }
    for (const change of changes(value, actual.get(id))) {
      if (!isVarying(fields.get(id), change.path)) differing.push({ id, change });
    }
  }
  problems.push(
    ...withoutExchanges(differing, exchanges).map(({ id, change }) => `${id} ${describeChange(change, kindOf(id))}`),
  );
  for (const id of actual.keys()) {
    if (!kinds.has(kindOf(id)) && !objects.has(id) && !expected.has(id)) problems.push(`${id} exists`);
  }
  for (const kind of kinds) {
    const [wanted, count] = [countOf(expected, kind), countOf(actual, kind)];
    if (wanted === count || counts.has(kind)) continue;
    const [what, ids] =
      count < wanted ? ["missing", surplus(kind, expected, actual)] : ["additional", surplus(kind, actual, expected)];
    problems.push(`there are ${count} objects of the kind ${kind} instead of ${wanted}, ${what}: ${listed(ids)}`);
  }
  if (problems.length === 0) return undefined;
  const [first, ...more] = problems as [string, ...string[]];
  const rest = more.length > 0 ? `, and ${more.length} more difference${more.length === 1 ? "" : "s"}` : "";
  return { invariant: builtIn.convergence, message: `unlike without faults: ${first}${rest}` };
}

interface Difference {
  id: string;
  change: FieldChange;
}

/**
 * Removes the differences between objects of a kind that have only exchanged the values of a field. If an operator allocates
 * something, such as addresses, the order of the requests determines which object gets which one. An object keeps its value when
 * another one is deleted.
 */
function withoutExchanges(differing: readonly Difference[], exchanges: Set<string>): readonly Difference[] {
  const valuesOf = (at: string, side: "before" | "after"): string =>
    differing
      .filter((difference) => fieldOf(difference) === at)
      .map(({ change }) => JSON.stringify(change[side]) ?? "")
      .sort()
      .join();
  const exchanged = new Set(
    [...new Set(differing.map(fieldOf))].filter((at) => valuesOf(at, "before") === valuesOf(at, "after")),
  );
  const textOf = ({ id, change: { path, before, after } }: Difference): string =>
    JSON.stringify([id, path, before ?? "none", after ?? "none"]);
  for (const difference of differing) if (exchanged.has(fieldOf(difference))) exchanges.add(textOf(difference));
  return differing.filter((one) => !exchanges.has(textOf(one)));
}

function fieldOf({ id, change }: Difference): string {
  return `${kindOf(id)} ${change.path}`;
}

function listed(ids: readonly string[]): string {
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : "";
  return `${ids.slice(0, mostNamed).join(", ")}${more}`;
}

/** Whether a field varies, or is part of one that does. */
function isVarying(paths: ReadonlySet<string> | undefined, path: string): boolean {
  if (!paths) return false;
  const isWithin = (inner: string, outer: string): boolean =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  return [...paths].some((one) => isWithin(path, one));
}

/**
 * Checks for objects whose deletion waits for a finalizer of the operator.
 *
 * @param state - the settled state
 * @param foreign - finalizers that the operator doesn't remove
 * @param expected - the state of the run without faults. It can have such objects too: a finalizer can protect an object until
 *   others that use it are gone
 */
export function checkFinalizers(
  state: State,
  foreign: ReadonlySet<string>,
  expected: Snapshot = new Map(),
): Violation | undefined {
  for (const { object } of state.objects.values()) {
    const { deletionTimestamp, finalizers = [] } = object.metadata ?? {};
    const own = finalizers.filter(
      (name) => !foreign.has(name) && !state.finalizersOfUsers.has(name) && name.includes("/"),
    );
    if (!deletionTimestamp || own.length === 0 || isBeingDeleted(expected.get(title(object)))) continue;
    return {
      invariant: builtIn.finalizers,
      message: `${title(object)} is still being deleted, it has the finalizer ${own[0]}`,
    };
  }
  return undefined;
}

function isBeingDeleted(object: unknown): boolean {
  return (object as KubernetesObject | undefined)?.metadata?.deletionTimestamp !== undefined;
}

/** Checks for objects of the operator without an owner when all objects of the user are gone. */
export function checkOrphans(state: State): Violation | undefined {
  const objects = [...state.objects.values()];
  if (objects.some(isOfUsers)) return undefined;
  const orphan = objects.find(
    ({ id, creator, byReconcile, object }) =>
      isOperator(creator) &&
      byReconcile &&
      !state.orphaned.has(id) &&
      !isHeldInDeletion(state, object) &&
      !state.hasOwner(object),
  );
  if (!orphan) return undefined;
  return {
    invariant: builtIn.orphans,
    message: `${title(orphan.object)} remains without an owner, although all objects of the user are deleted`,
  };
}

/**
 * Checks for a child that was kept when its owner was deleted with the propagation policy Orphan, and that is lost because the
 * operator has adopted it for the deleted owner: the garbage collector deletes objects whose owner doesn't exist. A cache can be
 * older than the deletion, so controllers read the owner from the server before they adopt.
 */
export function checkOrphaned({ lostOrphan }: State): Violation | undefined {
  if (lostOrphan === undefined) return undefined;
  const { title, actor } = lostOrphan;
  return {
    invariant: builtIn.orphaned,
    message: `the cluster deleted ${title}, which a user had orphaned, because ${actor} added the deleted owner again; hint: before you add an owner to an existing object, read the owner with mgr.apiReader`,
  };
}

/** Whether an object is deleted already, and only a user's finalizer keeps it. */
function isHeldInDeletion(state: State, object: KubernetesObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined && state.isHeld(object);
}

/** The errors of reconciles that still fail in a settled world, by the controller and the object. */
export type Failures = ReadonlyMap<string, Error>;

/**
 * Checks for reconciles that fail again and again, although they succeed without faults. The errors of JavaScript are findings
 * even without faults: they come from code that doesn't expect an object, not from a check of it.
 *
 * @param expected - the failures of the run without faults; undefined for that run itself
 * @param actual - the failures
 */
export function checkFailures(expected: Failures | undefined, actual: Failures): Violation | undefined {
  const controllerOf = (title: string): string => title.split(" ", 1)[0] as string;
  const controllers = new Set([...(expected?.keys() ?? [])].map(controllerOf));
  for (const [title, error] of actual) {
    const isMistake = error.name === "TypeError" || error.name === "ReferenceError";
    if (!isMistake && (!expected || controllers.has(controllerOf(title)))) continue;
    return { invariant: builtIn.failures, message: `the reconcile of ${title} still fails: ${errorText(error)}` };
  }
  return undefined;
}

/** Checks that the changes of another client are still there. */
export function checkTouched(state: State): Violation | undefined {
  for (const [id, { uid, value }] of state.touches) {
    const tracked = state.objects.get(id);
    if (!tracked || tracked.object.metadata?.uid !== uid) continue;
    if (tracked.object.metadata?.annotations?.[touched] === value) continue;
    return {
      invariant: builtIn.lost,
      message: `${title(tracked.object)} lost the annotation ${touched} that another client had set`,
    };
  }
  return undefined;
}

/** Checks a written status. */
export function checkStatus(tracked: Tracked | undefined): Violation | undefined {
  const { metadata, status } = (tracked?.object ?? {}) as KubernetesObject & { status?: StatusLike };
  const generation = metadata?.generation;
  if (!tracked || !status || typeof status !== "object" || generation === undefined) return undefined;
  const claims: [string, unknown][] = [["status.observedGeneration", status.observedGeneration]];
  for (const condition of Array.isArray(status.conditions) ? status.conditions : []) {
    claims.push([`observedGeneration of the condition ${condition?.type}`, condition?.observedGeneration]);
  }
  for (const [what, claimed] of claims) {
    if (typeof claimed !== "number" || claimed <= generation) continue;
    return {
      invariant: builtIn.status,
      message: `${title(tracked.object)}: ${what} is ${claimed}, but the generation is ${generation}`,
    };
  }
  return undefined;
}

interface StatusLike {
  observedGeneration?: unknown;
  conditions?: { type?: unknown; observedGeneration?: unknown }[];
}

function title({ kind = "", metadata }: KubernetesObject): string {
  return titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
}
