import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { groupKind, groupOf } from "../../api/kind.ts";
import { appliedFieldsOf } from "../../cache/applied-fields.ts";
import { type Declaration, type Entry, entriesOf, prunes } from "../../children/declaration.ts";
import { childAnnotation, partOfLabel } from "../../children/names.ts";
import type { ChildAction } from "../../children/types.ts";
import type { Stored } from "../../client/client.ts";
import { getControllerOf } from "../../controllerutil/owner-references.ts";
import { isJsonObject } from "../../json/object.ts";
import { computeStatus } from "../../kstatus/compute-status.ts";
import { ofChildren, type Violation } from "../report/verdict.ts";
import type { Actor } from "../schedule/actor.ts";
import type { ReconciledSet } from "../world/children-sets.ts";
import type { RunWorld } from "../world/run-world.ts";
import { idOf, isOfUsers, titleOf } from "../world/state.ts";
import { changedForeignField } from "./foreign-fields.ts";

/** A deletion by a process of the operator. */
interface Deletion {
  readonly actor: Actor;
  readonly id: string;
  readonly revision: number;
  readonly object: KubernetesObject;
}

/** A version of a child, and whether it was ready. */
interface Version {
  readonly revision: number;
  readonly object: KubernetesObject;
}

const settledActions: ReadonlySet<ChildAction> = new Set(["unchanged", "kept", "skipped"]);
const appliedActions: ReadonlySet<ChildAction> = new Set(["created", "configured", "unchanged", "recreated"]);

/** Checks the sets of children that controllers declare with `.manages(…)`. */
export class ChildrenChecks {
  readonly #world: RunWorld;
  /** The field managers of users and others, which aren't part of the operator. */
  readonly #foreign = new Set(["user", "someone"]);
  readonly #deletions: Deletion[] = [];
  /** The versions of each object of a set, by its id. */
  readonly #versions = new Map<string, Version[]>();

  /**
   * @param world - the run
   * @param isIdle - returns whether the operator must not write, because all its work is done
   * @param violated - receives broken rules
   */
  constructor(world: RunWorld, isIdle: () => boolean, violated: (violation: Violation | undefined) => void) {
    this.#world = world;
    world.children.onEnded((set) => {
      violated(this.#checkDeletions(set));
      if (isIdle()) violated(checkRequests(set));
    });
  }

  /**
   * Checks a write.
   *
   * @param write - the write
   * @param actor - the process of the operator that has sent it; undefined for others
   */
  onWrite(write: StoredWrite, actor: Actor | undefined): Violation | undefined {
    if (!this.#world.children.isUsed) return undefined;
    const before = write.before as KubernetesObject | undefined;
    const after = write.after as KubernetesObject | undefined;
    if (!actor && isOfUsers({ creator: this.#world.scheduler.actor.name })) this.#noteManagers(before, after);
    this.#noteVersion(write);
    if (!actor) return undefined;
    if (before && isBeginOfDeletion(write)) {
      this.#deletions.push({ actor, id: idOf(write, write), revision: write.revision, object: before });
      return this.#checkDeletionOrder(write, before, actor);
    }
    if (!after) return undefined;
    if (!before || write.isNew) return this.#checkCreation(write, after, actor);
    return this.#checkTakeover(write, before, after) ?? this.#checkFields(write, before, after);
  }

  /** Checks a settled state. */
  checkSettled(): Violation | undefined {
    for (const set of this.#world.children.all) {
      const violation = this.#checkSet(set);
      if (violation) return violation;
    }
    return undefined;
  }

  #checkSet(last: ReconciledSet): Violation | undefined {
    const { declaration, set, outcomes, inputs } = last;
    const { state } = this.#world;
    const owner = state.byUid(set.uid);
    if (!outcomes || !owner || owner.object.metadata?.deletionTimestamp || set.isDeleted) return undefined;
    const found = (message: string): Violation => ({ invariant: ofChildren.wanted, message });
    const ownerTitle = `${set.kind.kind} ${set.name}`;
    const wanted = new Set<string>();
    for (const outcome of outcomes) {
      const { kind, namespace, name, object } = outcome;
      const id = idOf({ group: groupOf(object?.apiVersion ?? ""), kind }, { namespace, name });
      if (outcome.action !== "pruned" && !outcome.isPrune) wanted.add(id);
      if (!appliedActions.has(outcome.action)) continue;
      const child = state.objects.get(id);
      const title = titleOf({ kind, namespace, name });
      if (!child) return found(`${title}, which ${ownerTitle} wants, doesn't exist`);
      if (!controls(set, child.object)) return found(`${title} doesn't belong to ${ownerTitle}, which wants it`);
    }
    // Pruning is last.
    const isDone = (action: ChildAction): boolean =>
      settledActions.has(action) || appliedActions.has(action) || action === "pruned";
    if (!outcomes.every(({ action }) => isDone(action))) return undefined;
    const kinds = new Set(declaredKinds(declaration));
    for (const { id, group, object } of state.objects.values()) {
      const kind = groupKind({ group, kind: object.kind });
      if (wanted.has(id) || object.metadata?.deletionTimestamp || !kinds.has(kind)) continue;
      if (!controls(set, object) || !isAppliedChild(object, declaration.fieldOwner)) continue;
      const isKept = entriesOf(declaration, object).some(({ name }) => inputs.kept.has(name));
      if (isKept || !prunes(declaration, object)) continue;
      return found(`${titleOfObject(object)} exists, although ${ownerTitle} doesn't want it`);
    }
    return undefined;
  }

  /** Checks that a set has deleted only what it had applied. */
  #checkDeletions({ declaration, set, outcomes = [], actor, begun }: ReconciledSet): Violation | undefined {
    for (const { action, kind, namespace, name, object } of outcomes) {
      if (action !== "pruned" && action !== "recreated") continue;
      const id = idOf({ group: groupOf(object?.apiVersion ?? ""), kind }, { namespace, name });
      const deletion = this.#deletions.find(
        (deletion) => deletion.id === id && deletion.actor === actor && deletion.revision > begun,
      );
      if (!deletion) continue;
      const isOwn = controls(set, deletion.object) && isAppliedChild(deletion.object, declaration.fieldOwner);
      if (isOwn) continue;
      return {
        invariant: ofChildren.own,
        message: `${set.kind.kind} ${set.name} deletes ${titleOfObject(deletion.object)}, which its set didn't apply`,
      };
    }
    return undefined;
  }

  /** Checks that a set applies only objects that it may take over. */
  #checkTakeover(write: StoredWrite, before: KubernetesObject, after: KubernetesObject): Violation | undefined {
    for (const { declaration, set } of this.#world.children.all) {
      const { fieldOwner, entries } = declaration;
      if (!controls(set, after) || !isAppliedChild(after, fieldOwner) || isAppliedChild(before, fieldOwner)) continue;
      if (controls(set, before)) continue;
      const isOwnerless = !getControllerOf(before) && !before.metadata?.labels?.[partOfLabel];
      if (isOwnerless && entries.get(entryNameOf(after))?.adoptsOwnerless) continue;
      const why = isOwnerless ? "which has no controller" : "which belongs to somebody else";
      return {
        invariant: ofChildren.own,
        message: `${set.kind.kind} ${set.name} takes over ${titleOf(write)}, ${why}`,
      };
    }
    return undefined;
  }

  /** Checks that the fields of others are still there. */
  #checkFields(write: StoredWrite, before: KubernetesObject, after: KubernetesObject): Violation | undefined {
    const isForeign = (last: ReconciledSet) => (manager: string) =>
      this.#foreign.has(manager) && !last.ownManagers.has(manager);
    for (const last of this.#world.children.all) {
      const { fieldOwner } = last.declaration;
      if (!controls(last.set, before) || !isAppliedChild(before, fieldOwner)) continue;
      const applied = appliedFieldsOf(after, fieldOwner)?.fields ?? {};
      const path = changedForeignField(before, after, applied, isForeign(last));
      if (path === undefined) continue;
      const message = `${titleOf(write)} loses the value of ${path}, which somebody else has set`;
      return { invariant: ofChildren.fields, message };
    }
    return undefined;
  }

  /** Checks that the entries in `after` are ready when a child is created. */
  #checkCreation(write: StoredWrite, object: KubernetesObject, actor: Actor): Violation | undefined {
    const managers = new Set((object.metadata?.managedFields ?? []).map(({ manager }) => manager));
    for (const last of this.#world.children.all) {
      const { declaration, set, inputs } = last;
      if (last.actor !== actor || !controls(set, object)) continue;
      if (!managers.has(declaration.fieldOwner) && !managers.has(declaration.creator)) continue;
      const entry = declaration.entries.get(entryNameOf(object));
      for (const { entry: before, kind, given } of inputs.children) {
        if (!entry?.after.includes(before.name)) continue;
        const { name = set.name, namespace = set.namespace } = given.metadata ?? {};
        const { objects } = this.#world.state;
        const ids = [namespace, ""].map((one) => idOf(kind, { namespace: one, name }));
        const id = ids.find((one) => objects.has(one));
        if (ids.some((one) => this.#wasReady(one, before, last)) || (id === undefined && before.optional)) continue;
        return {
          invariant: ofChildren.order,
          message: `${titleOf(write)} is created before ${kind.kind} ${name} of ${before.name} is ready`,
        };
      }
    }
    return undefined;
  }

  /** Whether a child is ready in the version that the reconcile has read, or in a later one. */
  #wasReady(id: string, entry: Entry, { seen, begun }: ReconciledSet): boolean {
    const now = new Date(this.#world.scheduler.time);
    const later = (this.#versions.get(id) ?? []).filter(({ revision }) => revision > begun);
    const objects = [seen.get(id), this.#world.state.objects.get(id)?.object, ...later.map(({ object }) => object)];
    return objects.some((object) => object !== undefined && isChildReady(entry, object, now));
  }

  /** Checks that the dependents of a child are gone when it is pruned. */
  #checkDeletionOrder(write: StoredWrite, object: KubernetesObject, actor: Actor): Violation | undefined {
    for (const last of this.#world.children.all) {
      const { declaration, set, inputs } = last;
      // Between reconciles, other code of the operator deletes something.
      if (last.actor !== actor || last.outcomes || !controls(set, object)) continue;
      if (!isAppliedChild(object, declaration.fieldOwner)) continue;
      const name = entryNameOf(object);
      for (const dependent of this.#world.state.objects.values()) {
        const other = entryNameOf(dependent.object);
        if (!controls(set, dependent.object) || !isAppliedChild(dependent.object, declaration.fieldOwner)) continue;
        if (!isAfter(declaration, other, name) || inputs.kept.has(other)) continue;
        if (!set.isDeleted && isWanted(last, dependent.object)) continue;
        if (!prunes(declaration, dependent.object)) continue;
        // The cache can be behind.
        if (last.seen.get(dependent.id)?.metadata?.uid !== dependent.object.metadata?.uid) continue;
        const message = `${titleOf(write)} is deleted before ${titleOfObject(dependent.object)}, which depends on it`;
        return { invariant: ofChildren.order, message };
      }
    }
    return undefined;
  }

  #noteManagers(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    const had = new Set((before?.metadata?.managedFields ?? []).map(({ manager }) => manager));
    for (const { manager } of after?.metadata?.managedFields ?? []) {
      if (manager !== undefined && !had.has(manager)) this.#foreign.add(manager);
    }
  }

  #noteVersion(write: StoredWrite): void {
    const id = idOf(write, write);
    const object = write.after as KubernetesObject | undefined;
    if (object && !write.isDeletion && entryNameOf(object) !== "") {
      const versions = this.#versions.get(id) ?? [];
      versions.push({ revision: write.revision, object });
      this.#versions.set(id, versions);
    }
  }
}

/** Checks that a reconcile without anything to do sends nothing. */
function checkRequests({ set, outcomes = [], requests }: ReconciledSet): Violation | undefined {
  const [first] = requests;
  if (first === undefined || set.isDeleted || !outcomes.every(({ action }) => settledActions.has(action))) {
    return undefined;
  }
  const message = `the children of ${set.kind.kind} ${set.name} are settled, and its reconcile sends ${first}`;
  return { invariant: ofChildren.requests, message };
}

/** Whether a write deletes an object, or lets its deletion begin. */
function isBeginOfDeletion({ before, after, isDeletion }: StoredWrite): boolean {
  const isGoing = (object: unknown): boolean =>
    (object as KubernetesObject | undefined)?.metadata?.deletionTimestamp !== undefined;
  return !isGoing(before) && (isDeletion || isGoing(after));
}

// These functions don't use those of the runtime, whose mistakes they must find.

/** Whether the owner of a set controls an object. */
function controls({ uid, id }: ReconciledSet["set"], object: KubernetesObject): boolean {
  const controller = getControllerOf(object);
  return controller ? controller.uid === uid : object.metadata?.labels?.[partOfLabel] === id;
}

/** Whether a field manager has applied an object as a child. */
function isAppliedChild(object: KubernetesObject, manager: string): boolean {
  const metadata = appliedFieldsOf(object, manager)?.fields["f:metadata"];
  const annotations = isJsonObject(metadata) ? metadata["f:annotations"] : undefined;
  return isJsonObject(annotations) && `f:${childAnnotation}` in annotations;
}

function entryNameOf(object: KubernetesObject): string {
  return object.metadata?.annotations?.[childAnnotation] ?? "";
}

function isChildReady({ ready }: Entry, object: KubernetesObject, now: Date): boolean {
  if (ready) return ready(object as Stored<KubernetesObject>);
  if (computeStatus(object, now).status !== "Current") return false;
  if (object.kind !== "Job" || object.apiVersion !== "batch/v1") return true;
  const { conditions = [] } = (object as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {};
  return conditions.some(({ type, status }) => type === "Complete" && status === "True");
}

function declaredKinds({ entries, former }: Declaration): string[] {
  return [...[...entries.values()].flatMap(({ kind }) => kind ?? []), ...former].map(groupKind);
}

function isAfter({ entries }: Declaration, name: string, other: string): boolean {
  const visit = (from: string): boolean =>
    entries.get(from)?.after.some((before) => before === other || visit(before)) ?? false;
  return visit(name);
}

/** Whether the inputs of the reconcile contain an object. */
function isWanted({ inputs, set }: ReconciledSet, { apiVersion, kind, metadata }: KubernetesObject): boolean {
  return inputs.children.some(
    ({ kind: wanted, given }) =>
      wanted.kind === kind &&
      wanted.group === groupOf(apiVersion) &&
      (given.metadata?.name ?? set.name) === metadata?.name &&
      (given.metadata?.namespace ?? set.namespace) === (metadata?.namespace || set.namespace),
  );
}

function titleOfObject({ kind = "", metadata }: KubernetesObject): string {
  return titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
}
