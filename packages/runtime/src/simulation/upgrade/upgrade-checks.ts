import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { type FieldDifference, fieldDifferences, pathText } from "../../json/field-path.ts";
import { comparable } from "../checks/snapshot.ts";
import { describeChange } from "../report/differences.ts";
import type { Cause } from "../report/timeline.ts";
import { ofUpgrade, type Violation } from "../report/verdict.ts";
import type { OperatorProcess } from "../world/process.ts";
import type { RunWorld } from "../world/run-world.ts";
import { idOf, isOfUsers, isOperator, type Tracked, titleOf } from "../world/state.ts";
import type { AllowedChanges, MadeChange } from "./allowed-change.ts";
import { type AppliedFields, fieldsOf } from "./applied-fields.ts";
import { DeletedOwners } from "./deleted-owners.ts";
import { Fights } from "./fights.ts";
import { contentOf, lostFields, metadataKeys } from "./lost-fields.ts";
import { claimsOf, isReadyPod, rolloutChanges } from "./rollouts.ts";
import { checkStoredObjects, QuietRequests } from "./stored-objects.ts";
import type { UpgradeRun } from "./upgrade-run.ts";
import { newName } from "./version.ts";

/** The objects of a state, by their ids. */
export type ObjectsById = ReadonlyMap<string, Tracked>;

/** The parts of a run that the checks of its upgrade use. */
export interface CheckedUpgrade {
  readonly world: RunWorld;
  readonly upgrade: UpgradeRun;
  readonly processes: readonly OperatorProcess[];
  readonly allowed: AllowedChanges;
  /** The state that the old version reaches without the upgrade, for upgrades while it works. */
  readonly reached: ObjectsById | undefined;
  /** The objects that the old version restores, and the new one neither restores nor deletes. */
  readonly left: ReadonlySet<string>;
  /** Whether the server records the owners of fields. */
  readonly recordsOwners: boolean;
}

const bookkeeping: ReadonlySet<string> = new Set(["Lease", "Event"]);

/** Compares the state before an upgrade with each state until the new version has settled. */
export class UpgradeChecks {
  readonly #run: CheckedUpgrade;
  readonly #fights = new Fights();
  /** The state before the upgrade, while the new version hasn't settled. */
  #before: ObjectsById | undefined;
  /** The objects of this run when the upgrade begins. They differ from the above if the old version still works. */
  #own: ObjectsById = new Map();
  /** The state before the upgrade, for rollbacks. */
  #first: ObjectsById | undefined;
  /** The objects that somebody has changed during the upgrade, and the UIDs of owners among them. */
  readonly #disturbed = new Set<string>();
  readonly #disturbedUids = new Set<string>();
  readonly #deletedOwners = new DeletedOwners();
  /** Labels, annotations and finalizers that users have set, by the id of their object. */
  readonly #ofUsers = new Map<string, Set<string>>();
  /** The ready Pods that the new version has deleted, and may replace. */
  readonly #toReplace = new Set<string>();
  /** The managers with which each version has applied objects. */
  readonly #managers = new Map<string, Set<string>>();

  /** @param run - the parts of the run. The checks subscribe to its timeline */
  constructor(run: CheckedUpgrade) {
    this.#run = run;
    const { world, upgrade } = run;
    world.timeline.subscribe((_entry, cause) => this.#observe(cause));
    upgrade.onDefinitions = async () => {
      if (upgrade.stage === "new") this.#violated(await checkStoredObjects(world, upgrade.next.definitions));
    };
    for (const { id, object } of world.state.objects.values()) this.#noteKeys(id, undefined, object);
  }

  /** The state before the upgrade. */
  get before(): ObjectsById | undefined {
    return this.#first;
  }

  #violated(violation: Violation | undefined): void {
    this.#run.world.verdict.violated(violation);
  }

  /** Notes a request of a process that writes. */
  onSend(process: OperatorProcess, manager: string | undefined, what: string): void {
    if (manager !== undefined) {
      this.#managers.set(process.version, (this.#managers.get(process.version) ?? new Set()).add(manager));
    }
    if (!this.#run.upgrade.isOverlapping || process.reconciles.size === 0) return;
    this.#violated(this.#fights.sends(process.version, what));
  }

  /** Notes the state before the upgrade. */
  begin(): void {
    const { world, upgrade, reached } = this.#run;
    const objects = new Map(world.state.objects);
    if (upgrade.isBusyPlan) for (const [id, tracked] of reached ?? []) objects.set(id, tracked);
    this.#before = objects;
    this.#own = new Map(world.state.objects);
    this.#first = objects;
    this.#disturbed.clear();
    this.#disturbedUids.clear();
    this.#toReplace.clear();
  }

  #observe(cause: Cause | undefined): void {
    if (!cause || !("write" in cause)) return;
    const { write, actor } = cause;
    if (write.resource === "leases") {
      const [had, has] = [write.before, write.after].map(
        (one) => (one as { spec?: { holderIdentity?: string } } | undefined)?.spec?.holderIdentity,
      );
      if (had && had !== has) this.#fights.moved();
      return;
    }
    if (!cause.isEffect) return;
    const id = idOf(write, write);
    if (this.#deletedOwners.deletesChild(write, actor.name)) this.#disturb(id, write);
    if (isOfUsers({ creator: actor.name })) {
      this.#noteKeys(id, write.before, write.after);
      if (this.#before) this.#disturb(id, write);
    }
    if (!this.#before || this.#isDisturbed(id)) return;
    const process = this.#run.processes.find((process) => process.actor === actor);
    // The old version can create again what the new one has deleted, if it continues after an interruption.
    if (process?.version === newName) this.#violated(this.#checkReplaced(id, write));
    if (!process || this.#run.upgrade.stage !== "new") return;
    if (this.#run.upgrade.isOverlapping) this.#violated(this.#fights.wrote(process.version, write));
    if (process.version === newName && !this.#run.upgrade.isBusyPlan) this.#checkWrite(id, write);
  }

  #noteKeys(id: string, before: object | undefined, after: object | undefined): void {
    const had = metadataKeys((before ?? {}) as KubernetesObject);
    const keys = this.#ofUsers.get(id) ?? new Set<string>();
    for (const [key, { value }] of metadataKeys((after ?? {}) as KubernetesObject)) {
      if (had.get(key)?.value !== value) keys.add(key);
    }
    for (const key of had.keys()) if (after && !metadataKeys(after as KubernetesObject).has(key)) keys.delete(key);
    this.#ofUsers.set(id, keys);
  }

  #disturb(id: string, { before, after }: StoredWrite): void {
    this.#disturbed.add(id);
    for (const object of [before, after]) {
      const { uid } = ((object as KubernetesObject | undefined)?.metadata ?? {}) as { uid?: string };
      if (uid !== undefined) this.#disturbedUids.add(uid);
    }
  }

  /** Whether somebody has changed an object or one of its owners during the upgrade. */
  #isDisturbed(id: string): boolean {
    if (this.#disturbedUids.size === 0) return false;
    const objects = this.#own;
    const byUid = new Map([...objects.values()].map((one) => [one.object.metadata?.uid ?? "", one] as const));
    const isReached = (tracked: Tracked | undefined, depth: number): boolean => {
      if (!tracked || depth > 5) return false;
      const { uid = "", ownerReferences = [] } = tracked.object.metadata ?? {};
      if (this.#disturbedUids.has(uid)) return true;
      return ownerReferences.some(
        (owner) => this.#disturbedUids.has(owner.uid) || isReached(byUid.get(owner.uid), depth + 1),
      );
    };
    return this.#disturbed.has(id) || isReached(objects.get(id) ?? this.#run.world.state.objects.get(id), 0);
  }

  /** Rule 2. */
  #checkReplaced(id: string, write: StoredWrite): Violation | undefined {
    if (!write.isNew) return undefined;
    const before = this.#own.get(id);
    if (!before || !isOperator(before.creator)) return undefined;
    const { uid } = (write.after as unknown as KubernetesObject).metadata ?? {};
    if (before.object.metadata?.uid === uid || this.#allows(before, { action: "replace" })) return undefined;
    return {
      invariant: ofUpgrade.replaced,
      message: `${titleOf(write)} of ${this.#run.upgrade.last.name} was deleted and created again`,
    };
  }

  #checkWrite(id: string, write: StoredWrite): void {
    const before = this.#before?.get(id);
    if (!before) return;
    const isGone = write.after === undefined || write.isDeletion || isTerminating(write.after);
    if (isGone && !isTerminating(write.before) && before.object.kind === "Pod" && isReadyPod(before.object)) {
      if (this.#allows(before, { action: "replace" })) this.#toReplace.add(id);
      else this.#violated(deletedPod(before));
    }
    this.#violated(this.#checkSecret(before, isGone ? undefined : (write.after as unknown as KubernetesObject)));
    if (isGone || !write.before) return;
    const after = write.after as unknown as KubernetesObject;
    this.#violated(this.#checkRollout(before, after));
    if (isOfUsers(before) || before.creator === "start") this.#violated(this.#checkKeys(before, after));
  }

  /** Rule 1. */
  #checkRollout(before: Tracked, after: KubernetesObject): Violation | undefined {
    // The cluster's controllers do what the objects of others demand.
    if (before.creator === "cluster") return undefined;
    const type = `${before.group}/${before.object.kind}`;
    return this.#broken(ofUpgrade.rollout, before, rolloutChanges(type, before.object, after));
  }

  /** Rule 4. */
  #checkSecret(before: Tracked, after: KubernetesObject | undefined): Violation | undefined {
    if (before.object.kind !== "Secret" || before.group !== "" || !isOperator(before.creator)) return undefined;
    const dataOf = (object: KubernetesObject | undefined): unknown => (object as { data?: unknown } | undefined)?.data;
    const changed = fieldDifferences(dataOf(before.object) ?? {}, dataOf(after) ?? {}, ["data"]).filter(
      ({ before }) => before !== undefined,
    );
    return this.#broken(ofUpgrade.secrets, before, changed);
  }

  /** Rule 5, for labels, annotations and finalizers of users. */
  #checkKeys(before: Tracked, after: KubernetesObject): Violation | undefined {
    if (isTerminating(after)) return undefined;
    const [own, has] = [this.#ofUsers.get(before.id), metadataKeys(after)];
    const lost = [...metadataKeys(before.object)].filter(([key]) => own?.has(key) && !has.has(key));
    return this.#broken(
      ofUpgrade.lostData,
      before,
      lost.map(([, { steps, value }]) => ({ steps, before: value, after: undefined })),
    );
  }

  #broken(invariant: string, tracked: Tracked, changed: readonly FieldDifference[]): Violation | undefined {
    const broken = changed.find(({ steps }) => !this.#allows(tracked, { path: steps }));
    if (!broken) return undefined;
    const { kind = "" } = tracked.object;
    const change = { path: pathText(broken.steps), parent: "", before: broken.before, after: broken.after };
    return { invariant, message: `${nameOf(tracked)} ${describeChange(change, kind)}` };
  }

  #allows(tracked: Tracked, change: Pick<MadeChange, "path" | "action">): boolean {
    const { allowed, upgrade } = this.#run;
    const { kind = "", metadata } = tracked.object;
    const made = { group: tracked.group, kind, name: metadata?.name ?? "", from: upgrade.from, ...change };
    return allowed.reasonFor(made) !== undefined;
  }

  /** Checks the state in which the new version, or the old one after a rollback, has nothing left to do. */
  async settled(): Promise<void> {
    const { world, upgrade } = this.#run;
    if (world.verdict.isOver) return;
    if (upgrade.stage === "back") {
      // Without a settled state before the upgrade, nothing shows which values the old version had set.
      if (!upgrade.isBusyPlan) this.#violated(this.#checkRestored());
      this.#first = undefined;
    } else if (this.#before) {
      for (const before of this.#before.values()) {
        if (this.#isDisturbed(before.id) || bookkeeping.has(before.object.kind ?? "")) continue;
        this.#checkObject(before, world.state.objects.get(before.id));
      }
      this.#violated(this.#checkClaims());
      this.#violated(await checkStoredObjects(world, upgrade.next.definitions));
      await this.#checkData();
    }
    this.#before = undefined;
  }

  #checkObject(before: Tracked, now: Tracked | undefined): void {
    const { left, upgrade } = this.#run;
    if (now && left.has(before.id) && !this.#allows(before, { action: "leave" })) {
      const message = `${nameOf(before)} of ${upgrade.last.name} remains: ${newName} neither restores nor deletes it`;
      this.#violated({ invariant: ofUpgrade.leftBehind, message });
    }
    if (!now) {
      if (this.#toReplace.has(before.id)) this.#violated(deletedPod(before));
      return;
    }
    // The new version may create an object in its own way.
    if (upgrade.isBusyPlan && !now.creator.startsWith(`${newName}-`)) {
      const custom = this.#isCustom(before);
      const read = ({ object }: { object: KubernetesObject }) =>
        comparable(object, custom) as unknown as KubernetesObject;
      this.#violated(this.#checkRollout({ ...described(before), object: read(before) }, read(now)));
    }
    if (this.#run.recordsOwners) this.#violated(this.#checkManagers(before, now.object));
  }

  #isCustom({ group, object }: Tracked): boolean {
    return this.#run.world.custom.has(`${group}/${object.kind}`);
  }

  /** Rule 3, for fields that the old version has applied under another name. */
  #checkManagers(before: Tracked, now: KubernetesObject): Violation | undefined {
    const [old, next] = [this.#managers.get(this.#run.upgrade.last.name), this.#managers.get(newName)];
    if (!old || !next) return undefined;
    const entries = (now.metadata?.managedFields ?? []) as readonly AppliedFields[];
    if (!entries.some(({ manager = "", operation }) => operation === "Apply" && next.has(manager))) return undefined;
    const owned = new Set(
      entries.filter(({ manager = "" }) => next.has(manager) || !old.has(manager)).flatMap(fieldsOf),
    );
    const stale = entries
      .filter(({ manager = "", operation }) => operation === "Apply" && old.has(manager) && !next.has(manager))
      .flatMap(fieldsOf)
      .find((path) => !owned.has(path));
    if (stale === undefined || this.#allows(before, { action: "leave" })) return undefined;
    return {
      invariant: ofUpgrade.leftBehind,
      message: `${nameOf(before)} ${stale}: only a field manager of ${this.#run.upgrade.last.name} owns it`,
    };
  }

  /** Rule 3, for claims that no Pod uses any longer. */
  #checkClaims(): Violation | undefined {
    const used = (objects: Iterable<Tracked>): Map<string, Tracked> =>
      new Map(
        [...objects]
          .filter(({ object }) => object.kind === "Pod" && !isTerminating(object))
          .flatMap((pod) =>
            claimsOf(pod.object).map((claim) => [`${pod.object.metadata?.namespace}/${claim}`, pod] as const),
          ),
      );
    const present = this.#run.world.state.objects;
    const now = used(present.values());
    for (const [claim, pod] of used(this.#before?.values() ?? [])) {
      const tracked = present.get(`/PersistentVolumeClaim ${claim}`);
      if (now.has(claim) || !tracked || this.#isDisturbed(pod.id)) continue;
      if (this.#allows(tracked, { action: "leave" })) continue;
      return { invariant: ofUpgrade.leftBehind, message: `PersistentVolumeClaim ${claim} has lost its Pod` };
    }
    return undefined;
  }

  /** Rule 5, for the spec and the status of custom resources, in the versions that they had. */
  async #checkData(): Promise<void> {
    const { world, upgrade } = this.#run;
    const requests = new QuietRequests(world);
    for (const before of this.#before?.values() ?? []) {
      const { object, group } = before;
      const present = world.state.objects.get(before.id)?.object;
      if (!present || this.#isDisturbed(before.id) || isTerminating(present)) continue;
      const definition = upgrade.next.definitions.find(
        ({ spec }) => spec.group === group && spec.names.kind === object.kind,
      );
      const version = (object.apiVersion ?? "").split("/").at(-1) as string;
      const isServed = definition?.spec.versions.some((one) => one.name === version && one.served);
      const now =
        definition && isServed ? await requests.read(definition, version, object).catch(() => present) : present;
      // Without the old version, nothing shows which fields correspond.
      if (now.apiVersion !== object.apiVersion) continue;
      const content = isOfUsers(before) ? lostFields(contentOf(object), contentOf(now), []) : [];
      const statusOf = (object: KubernetesObject): unknown => (object as { status?: unknown }).status ?? {};
      const status = this.#isCustom(before) ? lostFields(statusOf(object), statusOf(now), ["status"]) : [];
      this.#violated(this.#broken(ofUpgrade.lostData, before, [...content, ...status]));
    }
  }

  /** Rule 9: the old version has set its fields again. */
  #checkRestored(): Violation | undefined {
    const { world, upgrade } = this.#run;
    for (const before of this.#first?.values() ?? []) {
      const { object, id, creator } = before;
      const isCustom = this.#isCustom(before);
      if (bookkeeping.has(object.kind ?? "") || this.#isDisturbed(id)) continue;
      if (!isOperator(creator) && !isCustom) continue;
      const now = world.state.objects.get(id)?.object;
      if (!now) {
        if (!isOperator(creator)) continue;
        const message = `${nameOf(before)} of ${upgrade.last.name} doesn't exist after the rollback`;
        return { invariant: ofUpgrade.rollback, message };
      }
      const part = (object: KubernetesObject): unknown => {
        const { status, ...content } = comparable(object, isCustom) as { status?: unknown };
        return isOperator(creator) ? { ...content, status } : { status };
      };
      const changed = fieldDifferences(part(object), part(now)).filter(({ before }) => before !== undefined);
      const broken = this.#broken(ofUpgrade.rollback, before, changed);
      if (broken) return { ...broken, message: `unlike before the upgrade: ${broken.message}` };
    }
    return undefined;
  }
}

/** Returns a tracked object as a plain one, whose object can be replaced. */
function described({ id, group, resource, creator, byReconcile, since, object }: Tracked): Tracked {
  return { id, group, resource, creator, byReconcile, since, object };
}

function deletedPod(pod: Tracked): Violation {
  return { invariant: ofUpgrade.rollout, message: `${newName} deletes ${nameOf(pod)}, which is ready` };
}

function isTerminating(object: object | undefined): boolean {
  return (object as KubernetesObject | undefined)?.metadata?.deletionTimestamp !== undefined;
}

function nameOf({ object: { kind = "", metadata } }: Tracked): string {
  return titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
}
