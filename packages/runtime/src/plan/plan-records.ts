import type { KubernetesObject } from "../api/index.ts";
import { groupOf, type Kind } from "../api/kind.ts";
import type { Informer } from "../cache/informer.ts";
import { storeKey } from "../cache/store.ts";
import { missingPermission, rbacMarker } from "../errors/missing-permission.ts";
import { findApiError } from "../errors/predicates.ts";
import { apiVersionOf } from "../inspect/request-info.ts";
import { type FieldDifference, fieldDifferences, type PathStep, pathText } from "../json/field-path.ts";
import { errorText } from "../log/error-text.ts";
import { lastApplied } from "../log/redact.ts";
import type {
  PlanFailure,
  PlannedCall,
  PlannedChange,
  PlannedField,
  PlannedPosition,
  PlannedRef,
  PlannedRequeue,
  PlannedWrite,
} from "../session/plan.ts";
import type { OverlayState } from "./overlay.ts";
import { positionOf } from "./positions.ts";
import type { PlanScope } from "./scope.ts";
import { hidden, SecretTexts } from "./secret-texts.ts";

const hiddenChange = "(hidden, changed)";

/** Collects what a plan finds. */
export class PlanRecords {
  readonly external: PlannedCall[] = [];
  readonly failed: PlanFailure[] = [];
  readonly later: Map<string, PlannedRequeue> = new Map();
  readonly notes: Set<string> = new Set();
  readonly secrets: SecretTexts = new SecretTexts();
  /** Whether a user's objects are applied, whose changes aren't part of the plan. */
  isOfUser = false;
  readonly #writes = new Map<OverlayState, PlannedWrite[]>();
  /** The objects whose writes may have changed nothing. */
  readonly #same = new Set<OverlayState>();
  readonly #reconciled = new Map<string, { kind: Kind; namespace: string; name: string }>();

  /** Adds a failure with its message, status, and the marker of a missing permission. */
  fail(
    phase: PlanFailure["phase"],
    error: unknown,
    scope: Pick<PlanScope, "controller" | "object"> | undefined,
    position: PlannedPosition = positionOf((error as Error | undefined)?.stack),
  ): void {
    const missing = missingPermission(error);
    this.failed.push({
      phase,
      controller: scope?.controller ?? "",
      object: scope?.object ?? { kind: "", namespace: "", name: "" },
      status: findApiError(error)?.code ?? 0,
      message: this.secrets.without(errorText(error)),
      marker: missing ? rbacMarker(missing) : "",
      ...position,
    });
  }

  /** Adds a write that changes an object. */
  wrote(state: OverlayState, write: PlannedWrite): void {
    const writes = this.#writes.get(state) ?? [];
    writes.push(write);
    this.#writes.set(state, writes);
  }

  /** Adds a write that doesn't change an object. */
  wroteSame(state: OverlayState): void {
    this.#same.add(state);
  }

  /** Adds a request that was reconciled. Its object need not exist. */
  reconciled(kind: Kind, { namespace, name }: PlannedRef): void {
    this.#reconciled.set(keyOf({ ...kind, namespace, name }), { kind, namespace, name });
  }

  /** Returns the differences between the cluster and the planned objects. */
  changes(states: Iterable<OverlayState>): PlannedChange[] {
    const changes = [...states].flatMap((state) => changeOf(state, this.#writes.get(state) ?? []));
    return changes.sort(
      (one, other) =>
        order(one.kind, other.kind) || order(one.namespace, other.namespace) || order(one.name, other.name),
    );
  }

  /**
   * Returns how many objects were reconciled or written, exist, and stay the same.
   *
   * @param changes - the changes of the plan
   * @param informers - the objects of the cluster and the plan
   */
  unchangedBeside(changes: readonly PlannedChange[], informers: readonly Informer<KubernetesObject>[]): number {
    const written = [...this.#same, ...this.#writes.keys()].filter(({ base, planned }) => base && planned);
    const reconciled = [...this.#reconciled].filter(([, { kind, namespace, name }]) =>
      informers.some(
        ({ kind: one, store }) =>
          one.kind === kind.kind &&
          groupOf(one.apiVersion) === groupOf(kind.apiVersion) &&
          store.get(storeKey(namespace, name)) !== undefined,
      ),
    );
    const same = new Set(reconciled.map(([key]) => key));
    for (const { kind, info } of written) same.add(keyOf({ ...info, kind, apiVersion: apiVersionOf(info) }));
    for (const change of changes) same.delete(keyOf(change));
    return same.size;
  }
}

/** Returns the key of an object, in all versions of its kind. */
function keyOf({ apiVersion, kind, namespace, name }: PlannedRef & { readonly apiVersion: string }): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespace, name]);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether two states differ only in what servers set. */
export function isSameState(before: KubernetesObject, after: KubernetesObject): boolean {
  return differences(before, after).length === 0;
}

/** Returns the paths of the fields that differ, apart from what servers set. */
export function changedPaths(before: KubernetesObject | undefined, after: KubernetesObject | undefined): string[] {
  return differences(before, after).map(({ steps }) => pathText(steps));
}

function differences(before: KubernetesObject | undefined, after: KubernetesObject | undefined): FieldDifference[] {
  // The metadata of a new object is compared by field, because servers set most of it.
  const [old, now] = [before, after].map((object) => object ?? { metadata: {} });
  return fieldDifferences(old, now).filter(
    (field) => !isTimeOfCondition(field.steps, before, after) && !isIdentity(field.steps) && !isEmpty(field),
  );
}

/** The name of an object is not a change of it. */
function isIdentity([first, second, ...rest]: readonly PathStep[]): boolean {
  return first === "metadata" && (second === "name" || second === "namespace") && rest.length === 0;
}

/** Whether nothing becomes an empty status or an empty map of metadata. In a spec, empty objects have a meaning. */
function isEmpty({ steps, before, after }: FieldDifference): boolean {
  const isOptional = (steps[0] === "status" && steps.length === 1) || (steps[0] === "metadata" && steps.length === 2);
  return (
    isOptional &&
    [before, after].every(
      (value) =>
        value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0),
    )
  );
}

/** Whether a path is the time of a condition whose status stays. */
function isTimeOfCondition(steps: readonly PathStep[], before: unknown, after: unknown): boolean {
  if (steps.at(-1) !== "lastTransitionTime") return false;
  const [old, now] = [before, after].map(
    (root) => valueAt(root, steps.slice(0, -1)) as { status?: unknown } | undefined,
  );
  return old !== undefined && now !== undefined && old.status === now.status;
}

function valueAt(root: unknown, steps: readonly PathStep[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    if (typeof step === "string" && step.startsWith("type=") && Array.isArray(at)) {
      return at.find((item) => item?.type === step.slice("type=".length));
    }
    return (at as Record<PathStep, unknown> | undefined)?.[step];
  }, root);
}

function changeOf(state: OverlayState, writes: readonly PlannedWrite[]): PlannedChange[] {
  const { base, planned, info, kind } = state;
  if (!base && !planned) return [];
  const isDeleted = base !== undefined && (!planned || (isDeleting(planned) && !isDeleting(base)));
  const fields = isDeleted && !planned ? [] : differences(base, planned).map((difference) => fieldOf(kind, difference));
  const isReplaced = base !== undefined && planned !== undefined && base.metadata?.uid !== planned.metadata?.uid;
  if (base && planned && fields.length === 0 && !isReplaced) return [];
  const object = (planned ?? base) as KubernetesObject;
  const isUpdate = base !== undefined && !isDeleted;
  const rollout = isUpdate && fields.some(({ path }) => isPodTemplate(kind, path));
  const replicas = (base as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
  return [
    {
      action: !base ? "create" : isDeleted ? "delete" : "update",
      apiVersion: object.apiVersion ?? "",
      kind: object.kind ?? kind,
      namespace: info.namespace,
      name: info.name,
      rollout,
      ...(rollout && replicas !== undefined ? { pods: replicas } : {}),
      ...(isReplaced ? { replaced: true } : {}),
      fields,
      writes,
    },
  ];
}

function isDeleting(object: KubernetesObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController"]);

function isPodTemplate(kind: string, path: string): boolean {
  return workloads.has(kind) && /^spec\.template(?:$|[.[])/.test(path);
}

function fieldOf(
  kind: string,
  { steps, before, after }: { steps: readonly PathStep[]; before: unknown; after: unknown },
): PlannedField {
  const action = before === undefined ? "add" : after === undefined ? "remove" : "change";
  const shown = (value: unknown, text: string): unknown => (kind === "Secret" ? hiddenAt(steps, value, text) : value);
  return {
    path: pathText(steps),
    action,
    ...(before === undefined ? {} : { before: shown(before, hidden) }),
    ...(after === undefined ? {} : { after: shown(after, action === "change" ? hiddenChange : hidden) }),
  };
}

/** Hides the values in a field of a Secret. The keys stay visible. */
function hiddenAt(steps: readonly PathStep[], value: unknown, text: string): unknown {
  const isSecret = steps[0] === "data" || steps[0] === "stringData" || steps.at(-1) === lastApplied;
  if (typeof value !== "object" || value === null) return isSecret ? text : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret || key === lastApplied ? text : item]),
  );
}
