import type { KubernetesObject } from "../../api/index.ts";
import { type PatchType, rawPatch } from "../../client/patch.ts";
import type { FieldPath, Learned, ProbeResults } from "../checks/learned.ts";
import { describeValue } from "../report/differences.ts";
import { type Mark, markOf, withMark } from "../world/mark.ts";
import type { OperatorProcess } from "../world/process.ts";
import type { RunWorld } from "../world/run-world.ts";
import { isOfUsers, isOperator, type Tracked } from "../world/state.ts";
import type { FaultOptions } from "../world/world.ts";
import { pick, title } from "./pick.ts";

/** The operator to which faults happen. */
export interface Victim {
  readonly processes: readonly OperatorProcess[];
  /** The parts of objects that belong to it. */
  readonly learned: Learned;
  readonly probed: ProbeResults;
}

/** A label or finalizer of an object. */
export interface MarkedObject {
  readonly id: string;
  readonly mark: Mark;
  /** Kind and mark. */
  readonly key: string;
}

/** A child, or the finalizers of an object of a user. */
export interface Removal {
  readonly kind: string;
  remove(): void;
  isRestored(): boolean;
}

/** Kinds whose objects run once: operators don't create a finished one again. */
const finite = new Set(["Job", "Pod", "Event", "ReplicaSet", "ControllerRevision"]);

/** Lets somebody delete and edit children, and remove labels and finalizers. */
export class ByHand {
  readonly #world: RunWorld;
  readonly #operator: Victim;
  /** UIDs of objects of users whose finalizers somebody has removed. */
  readonly #stripped = new Set<string>();
  #removed: { uid: string | undefined; marked: MarkedObject } | undefined;
  /** Requests that haven't arrived. */
  #pending = 0;

  /**
   * @param world - the parts of the run
   * @param operator - the operator, which restores what is changed
   */
  constructor(world: RunWorld, operator: Victim) {
    this.#world = world;
    this.#operator = operator;
  }

  /** Number of the variants of {@link change}. */
  static readonly variants = 9;

  /**
   * Changes something.
   *
   * @param variant - selects the change
   * @param isRest - whether nothing else is left to do
   * @returns whether something has changed
   */
  change(variant: number, isRest: boolean): boolean {
    if (variant <= 3) return this.deleteChild({}, variant);
    if (variant <= 6) return this.#editChild(variant);
    if (variant === 7) return this.#removeFinalizers();
    return (isRest && this.#removeMark()) || this.#editChild(variant);
  }

  /**
   * Whether a change is on its way, or the operator hasn't restored a removed label or finalizer yet. If its object or the owner
   * is deleted meanwhile, the operator may not find the object, or not clean up: no operator can prevent this.
   */
  get isRestoring(): boolean {
    if (this.#pending > 0) return true;
    if (!this.#removed) return false;
    const { uid, marked } = this.#removed;
    const object = this.#world.state.objects.get(marked.id)?.object;
    return object !== undefined && object.metadata?.uid === uid && markOf(object, marked.mark) === undefined;
  }

  /** Whether an object of a user has its finalizers, or never had any that somebody has removed. */
  isProtected({ metadata }: KubernetesObject): boolean {
    return (metadata?.finalizers?.length ?? 0) > 0 || !this.#stripped.has(metadata?.uid ?? "");
  }

  /** Deletes a child. */
  deleteChild(options: FaultOptions, variant = 1): boolean {
    if (this.isRestoring) return false;
    const { processes } = this.#operator;
    const { changedByUser } = this.#world.state;
    const children = this.#children(options).filter(
      (candidate) =>
        // If the events of the creation and the deletion are both lost, no operator notices the deletion.
        options.key ||
        (!changedByUser.has(candidate.id) && !processes.some((process) => process.awaitsEvent(candidate))),
    );
    const child = pick(children, variant);
    if (!child) return false;
    this.#world.timeline.fault("hands", "somebody deletes the object", title(child.object));
    void this.#world.someone.delete(child.object).catch(() => {});
    return true;
  }

  /** Returns what somebody can remove: children, and finalizers of objects of users. */
  removals(): Removal[] {
    const { state, someone } = this.#world;
    const children = this.#children({}).filter(({ id }) => !state.changedByUser.has(id));
    return [
      ...children.map(({ id, object }) => ({
        kind: object.kind ?? "",
        remove: () => void someone.delete(object).catch(() => {}),
        isRestored: () => state.objects.has(id),
      })),
      ...this.#finalized().map(({ id, object }) => ({
        kind: object.kind ?? "",
        remove: () => this.#patch(object, { metadata: { finalizers: this.#ofUsersOnly(object) } }),
        isRestored: () => this.#hasOwnFinalizer(state.objects.get(id)?.object),
      })),
    ];
  }

  /** Returns all children, also those that run once. */
  eachChild(): (Omit<Removal, "kind"> & { readonly id: string })[] {
    const { state, someone } = this.#world;
    const ownersOf = ({ object }: Tracked): string =>
      JSON.stringify((object.metadata?.ownerReferences ?? []).map(({ uid }) => uid));
    const similar = (child: Tracked): number =>
      [...state.objects.values()].filter(
        (other) =>
          other.group === child.group &&
          other.object.kind === child.object.kind &&
          other.object.metadata?.namespace === child.object.metadata?.namespace &&
          ownersOf(other) === ownersOf(child),
      ).length;
    const children = [...state.objects.values()].filter(
      ({ object, creator }) => isOperator(creator) && !object.metadata?.deletionTimestamp,
    );
    return children.map((child) => {
      const { id, object } = child;
      const count = similar(child);
      return {
        id,
        remove: () => void someone.delete(object).catch(() => {}),
        // Another name is fine, such as a generated one.
        isRestored: () => state.objects.has(id) || similar(child) >= count,
      };
    });
  }

  /** Returns the labels and finalizers of objects that only the operator has set. */
  marks(): MarkedObject[] {
    const { state } = this.#world;
    const { learned } = this.#operator;
    const objects = [...this.#children({}), ...this.#ofUsers()].filter(({ id }) => !state.changedByUser.has(id));
    return objects.flatMap(({ id, group, creator, object }) => {
      const marks = [...(learned.marks.get(`${group}/${object.kind}`) ?? [])].filter(
        ([, mark]) =>
          markOf(object, mark) !== undefined &&
          // Another variant removes the finalizers of these objects.
          !(mark.field === "finalizers" && isOfUsers({ creator })),
      );
      return marks.map(([text, mark]) => ({ id, mark, key: `${group}/${object.kind} ${text}` }));
    });
  }

  /**
   * Removes a label or finalizer.
   *
   * @param marked - the object and what to remove
   * @returns a function that sets it again if the operator hasn't, and returns whether the operator has
   */
  remove({ id, mark }: MarkedObject): () => boolean {
    const before = this.#world.state.objects.get(id)?.object;
    if (!before) return () => false;
    const value = markOf(before, mark);
    this.#patch(before, { metadata: withMark(before, mark, undefined) });
    return () => {
      const after = this.#world.state.objects.get(id)?.object;
      if (after?.metadata?.uid !== before.metadata?.uid || !after) return false;
      if (markOf(after, mark) === value) return true;
      this.#patch(after, { metadata: withMark(after, mark, value) });
      return false;
    };
  }

  #removeMark(): boolean {
    const { choices, state, timeline } = this.#world;
    if (this.isRestoring) return false;
    const candidates = this.marks().filter(({ key }) => this.#operator.probed.restored.has(key));
    if (candidates.length === 0) return false;
    const index = candidates.length > 1 ? choices.detail("hands", "mark", candidates.length - 1) : 0;
    const marked = candidates[index] as MarkedObject;
    const { object } = state.objects.get(marked.id) as Tracked;
    const { field, name } = marked.mark;
    timeline.fault(
      "hands",
      `somebody removes the ${field === "labels" ? "label" : "finalizer"} ${name}`,
      title(object),
    );
    this.#removed = { uid: object.metadata?.uid, marked };
    this.remove(marked);
    return true;
  }

  #editChild(variant: number): boolean {
    const child = pick(
      this.#children({}).filter((candidate) => this.#maintained(candidate).length > 0),
      variant,
    );
    if (!child) return false;
    const fields = this.#maintained(child);
    const [field, path] = fields[variant % fields.length] as [string, FieldPath];
    const edited = editedValue(child.object, path);
    if (edited === undefined) return false;
    // Somebody can also remove a label.
    const value = path[0] === "metadata" && variant % 2 === 0 ? null : edited;
    const patch = path.reduceRight<unknown>(
      (inner, step) => (typeof step === "string" ? { [step]: inner } : [{ ...step, ...(inner as object) }]),
      value,
    );
    this.#world.timeline.fault(
      "hands",
      value === null
        ? `somebody removes ${field}`
        : `somebody sets ${field} to ${describeValue(child.object.kind ?? "", field, value)}`,
      title(child.object),
    );
    this.#patch(child.object, patch as object, "application/strategic-merge-patch+json");
    return true;
  }

  #removeFinalizers(): boolean {
    const [finalized] = this.#finalized();
    if (!finalized) return false;
    const { object } = finalized;
    this.#world.timeline.fault("hands", "somebody removes the finalizers", title(object));
    this.#stripped.add(object.metadata?.uid ?? "");
    this.#patch(object, { metadata: { finalizers: this.#ofUsersOnly(object) } });
    return true;
  }

  #patch(object: KubernetesObject, change: object, type: PatchType = "application/merge-patch+json"): void {
    const patch = rawPatch(type, change);
    this.#pending++;
    void this.#world.someone
      .patch(object, patch)
      .catch(() => {})
      .finally(() => this.#pending--);
  }

  #finalized(): Tracked[] {
    return this.#ofUsers().filter(({ object }) => this.#hasOwnFinalizer(object));
  }

  /** Whether an object has a finalizer that no user has added. */
  #hasOwnFinalizer(object: KubernetesObject | undefined): boolean {
    return object?.metadata?.finalizers?.some((name) => !this.#world.state.finalizersOfUsers.has(name)) ?? false;
  }

  /** Returns the finalizers of users, which no operator would restore. */
  #ofUsersOnly({ metadata }: KubernetesObject): string[] | null {
    const kept = (metadata?.finalizers ?? []).filter((name) => this.#world.state.finalizersOfUsers.has(name));
    return kept.length > 0 ? kept : null;
  }

  /** Returns the custom resources of the scenario that nothing deletes, or is about to delete. */
  #ofUsers(): Tracked[] {
    const { state, custom } = this.#world;
    return [...state.objects.values()].filter(
      ({ id, object, group, creator }) =>
        creator === "user" &&
        custom.has(`${group}/${object.kind}`) &&
        !object.metadata?.deletionTimestamp &&
        !state.isGoing(id),
    );
  }

  #children({ kind, key }: FaultOptions): Tracked[] {
    return [...this.#world.state.objects.values()].filter(
      ({ object, creator }) =>
        isOperator(creator) &&
        (kind || key || !(finite.has(object.kind ?? "") || object.metadata?.generateName)) &&
        !object.metadata?.deletionTimestamp &&
        (!kind || kind.kind === object.kind) &&
        (!key || key.name === object.metadata?.name),
    );
  }

  #maintained({ group, object }: Tracked): [string, FieldPath][] {
    const fields = [...(this.#operator.learned.maintained.get(`${group}/${object.kind}`) ?? [])];
    return fields.filter(([, path]) => editedValue(object, path) !== undefined);
  }
}

function valueAt(object: KubernetesObject, path: FieldPath): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof step === "string") return (at as Record<string, unknown> | undefined)?.[step];
    return (at as { name: string }[] | undefined)?.find(({ name }) => name === step.name);
  }, object);
}

/** Returns another valid value of a field, `undefined` if there is none. */
function editedValue(object: KubernetesObject, path: FieldPath): unknown {
  const value = valueAt(object, path);
  const suffix = "-edited";
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") {
    // The server rejects data of a Secret that isn't in base64.
    const isBase64 = object.kind === "Secret" && path[0] === "data";
    return isBase64 ? Buffer.from(`${Buffer.from(value, "base64")}${suffix}`).toString("base64") : value + suffix;
  }
  if (typeof value === "boolean") return !value;
  return undefined;
}
