import type { StoredWrite } from "@kubewright/apiserver";
import { errorText } from "../../log/error-text.ts";
import type { ManagerOptions } from "../../manager/options.ts";
import { changes } from "../report/differences.ts";
import type { Cause, RecordedEntry } from "../report/timeline.ts";
import { builtIn, type Violation } from "../report/verdict.ts";
import type { Actor } from "../schedule/actor.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import { holderOf, isElection } from "../world/lease.ts";
import type { OperatorProcess } from "../world/process.ts";
import type { RunWorld } from "../world/run-world.ts";
import { idOf } from "../world/state.ts";
import type { World } from "../world/world.ts";
import { ChildrenChecks } from "./children.ts";
import { collectionsOf, split } from "./external.ts";
import type { Invariant } from "./invariant.ts";
import { KstatusChecks } from "./kstatus.ts";
import type { Learned, ProbeResults } from "./learned.ts";
import {
  checkConvergence,
  checkFailures,
  checkFinalizers,
  checkOrphaned,
  checkOrphans,
  checkStatus,
  checkTouched,
  type Failures,
} from "./settled.ts";
import { ShardChecks } from "./shards.ts";
import { both, kindOf, noVariation, type Snapshot, snapshotOf, type Varying } from "./snapshot.ts";

/** Results of the run without faults. */
export interface Baseline {
  snapshots: readonly Snapshot[];
  /** The labels of the snapshots in a simulation of an upgrade, in which runs have different numbers of settled states. */
  labels?: readonly string[];
  /** The reconciles that still fail in each settled state. */
  failures: readonly Failures[];
  /** Differences between runs without faults. */
  varying: Varying;
  /**
   * Differences from a run without faults that deletes the user's objects and creates them again. Undefined until a check needs
   * them.
   */
  history?: Varying | undefined;
  probed?: ProbeResults;
  /** States in which the operator doesn't restore a kind that it restores in others. Undefined until a check needs them. */
  unrestored?: ReadonlySet<string>;
  learned: Learned;
}

/** The parts of a run that its checks use. */
export interface CheckedRun {
  readonly world: RunWorld;
  readonly processes: readonly OperatorProcess[];
  /** The world as the rules of the user see it. */
  readonly shared: World;
  /** The rules of the user. */
  readonly invariants: readonly Invariant[];
  /** Finalizers that the operator doesn't own. */
  readonly foreignFinalizers: ReadonlySet<string>;
  readonly learned: Learned;
  /** The kinds whose states are checked as Helm and Flux compute them, as `group/kind`. */
  readonly kstatus: ReadonlySet<string>;
  readonly expected: Baseline | undefined;
  /** The name of the rule whose state is checked after each event that can change it. */
  readonly trace: string | undefined;
  /** How the processes share the objects. */
  readonly sharding: ManagerOptions["sharding"];
  /** The upgrade of the operator in this run. */
  readonly upgrade?: CheckedVersions | undefined;
}

/** The versions of the operator that run one after another. */
export interface CheckedVersions {
  /** Identifies the present version and the settled state. */
  readonly label: string;
  /** Whether the old version runs again, after a rollback. */
  readonly isBack: boolean;
  /** The states that the old version reaches without the upgrade. */
  readonly stays: Baseline | undefined;
  /** The reconciles that fail in this state if the new version has never been an old one. */
  readonly plainFailures: Failures | undefined;
}

/** The results of the checks of a run, without the broken rule. */
export interface CheckResults {
  readonly snapshots: readonly Snapshot[];
  readonly labels: readonly string[];
  readonly failures: readonly Failures[];
  readonly learned: Learned;
  readonly byHand: ReadonlySet<string>;
  /** Index in the timeline of the event since which the traced rule isn't kept. */
  readonly position: number | undefined;
}

/** Writes, and virtual time in milliseconds from the first one or the last fault, after which a world that isn't settled is a storm. */
const maxEffects = 200;
const stormTime = 60_000;
const waiting =
  "does it wait for a child that may never become ready, or for something real, such as import()? return instead, and let a watch or requeueAfter continue";
/** Virtual time in milliseconds that a reconcile may take. The longest faults take two minutes. */
const longestReconcile = 30 * 60_000;

/** Checks one run: each write, and each settled state. The timeline reports the writes. */
export class RunChecks {
  /** Whether the operator must not write, because all its work is done. */
  isIdle = false;
  /**
   * Whether a process works with an older state than another one has read, or somebody has changed an object while the operator
   * works. Until the world is settled, rules that don't hold after a write are then no finding: each operator relies on what it
   * has read.
   */
  #worksWithOlderState = false;
  /** Whether a fault has changed an object since the last settled state, to which the cluster's controllers react. */
  #isClusterDisturbed = false;
  #isChecking = false;
  #lastEffect = 0;
  readonly #snapshots: Snapshot[] = [];
  readonly #labels: string[] = [];
  readonly #failures: Failures[] = [];
  /** The settled states before which somebody has changed something by hand, with the kind of the object. */
  readonly #byHand = new Set<string>();
  /** Rules that a fault has broken, and that the operator hasn't restored yet. */
  readonly #excused = new Set<string>();
  /** The last write of each object by a fault, or by the cluster that reacts to one, since the last settled state. */
  readonly #disturbances = new Map<string, { revision: number; time: number }>();
  /** Values that objects have exchanged, compared with the run without faults. */
  readonly #exchanges = new Set<string>();
  readonly #run: CheckedRun;
  readonly #kstatus: KstatusChecks;
  readonly #children: ChildrenChecks;
  /** Set if processes share the objects. */
  readonly shards?: ShardChecks;
  /** Index of the event since which the traced rule isn't kept. */
  #position: number | undefined;
  #lastFault = 0;
  #isRecreated = false;
  /** Writes since the last fault or settled state, and the virtual time of the first one. */
  #effects = 0;
  #firstEffect = 0;

  /** @param run - the parts of the run. The checks subscribe to its timeline */
  constructor(run: CheckedRun) {
    this.#run = run;
    this.#kstatus = new KstatusChecks(run.world, run.kstatus, run.learned.kstatus);
    const violated = (violation: Violation | undefined): void => this.#violated(violation);
    this.#children = new ChildrenChecks(run.world, () => this.isIdle, violated);
    if (run.sharding) this.shards = new ShardChecks(run, run.sharding, violated);
    const { timeline, sightings } = run.world;
    timeline.subscribe((entry, cause) => this.#observe(entry, cause));
    sightings.onOutdated(() => {
      this.#worksWithOlderState = true;
    });
  }

  /** Whether a rule of the user is being checked. */
  get isChecking(): boolean {
    return this.#isChecking;
  }

  /** Virtual time of the last write that changed something, the last fault, or the last start of a process. */
  get lastEffect(): number {
    return this.#lastEffect;
  }

  #observe({ action, object }: RecordedEntry, cause: Cause | undefined): void {
    if (!cause) {
      if (action === "start" || action === "exit") this.#lastEffect = this.#run.world.scheduler.now;
      else if (action === "external") this.#checkTraced();
    } else if ("fault" in cause) this.#onFault(cause.fault, object);
    else if (cause.isEffect) this.#onWrite(cause.write, action, object, cause.actor);
    else if (cause.write.resource === "leases") this.#onLease(cause.write);
  }

  #violated(violation: Violation | undefined): void {
    this.#run.world.verdict.violated(violation);
  }

  #onFault(name: FaultName, object: string): void {
    this.#isRecreated ||= name === "recreate";
    const { world, processes } = this.#run;
    const { scheduler } = world;
    const isWorking =
      scheduler.isBusy || scheduler.isHolding || processes.some(({ reconciles }) => reconciles.size > 0);
    const isChange = name === "hands" || name === "recreate" || (name === "children" && object !== "");
    this.#isClusterDisturbed ||= isChange;
    // The events of the objects that are deleted with their owner arrive in any order.
    if (name === "recreate" || (name === "hands" && isWorking)) this.#worksWithOlderState = true;
    if (name === "hands") this.#byHand.add(`${this.#snapshots.length} ${kindOf(object)}`);
    this.#effects = 0;
    this.#lastFault = scheduler.now;
    this.#lastEffect = scheduler.now;
  }

  /** Begins to count the writes until the world is settled. */
  beginSettling(): void {
    this.#effects = 0;
    this.#lastEffect = this.#run.world.scheduler.now;
  }

  /** Checks a write that has changed something, and the rules that hold always. */
  #onWrite(write: StoredWrite, action: string, title: string, actor: Actor): void {
    const { world, expected, learned } = this.#run;
    const { scheduler, state } = world;
    const process = this.#run.processes.find((candidate) => candidate.actor === actor);
    this.#lastEffect = scheduler.now;
    this.#checkTraced();
    this.#kstatus.noteChild(write);
    this.#violated(this.#children.onWrite(write, process?.actor));
    this.#violated(checkOrphaned(state));
    if (process && this.isIdle) {
      this.#violated({ invariant: builtIn.idempotence, message: `${process.name} ${action}s ${title}` });
    }
    if (!expected) {
      learned.wrote(write, process !== undefined);
      learned.orphans ||= state.orphaned.size > 0;
    }
    if (this.#effects === 0) this.#firstEffect = scheduler.now;
    this.#effects = scheduler.isHolding ? 0 : this.#effects + 1;
    const began = Math.max(this.#firstEffect, this.#lastFault, scheduler.lastRelease);
    if (this.#effects > maxEffects && scheduler.now - began > stormTime) {
      const last = `${scheduler.actor.name}'s ${action} of ${title}`;
      const message = `${this.#effects} writes, and nothing is settled; the last is ${last}`;
      this.#violated({ invariant: builtIn.storms, message });
    }
    if (process) this.#violated(checkStatus(state.objects.get(idOf(write, write))));
    if (process && !this.#worksWithOlderState) this.#violated(this.#kstatus.checkWrite(write, process.actor));
    this.#checkInvariants("always", process ? this.#describesOlderState(write, process) : this.#isOfFault(write));
  }

  /** Checks the traced rule after an event that can change it. */
  #checkTraced(): void {
    const { trace, invariants, world } = this.#run;
    const invariant = invariants.find(({ name }) => name === trace);
    if (!invariant || world.verdict.violation) return;
    if (this.#brokenBy(invariant) === undefined) this.#position = undefined;
    else this.#position ??= world.timeline.last;
  }

  /** Checks the write of a Lease. Its renewals don't count as work. */
  #onLease(write: StoredWrite): void {
    // A new leader reconciles everything.
    if (holderOf(write.before) !== holderOf(write.after)) this.#lastEffect = this.#run.world.scheduler.now;
    if (!isElection(write, this.#run.processes)) this.#checkInvariants("always");
  }

  /** Checks that no reconcile takes longer than any that waits for its requests. */
  overdue(): void {
    const { processes, world } = this.#run;
    const { scheduler } = world;
    this.shards?.overdue(Math.max(this.#lastFault, this.#lastEffect, scheduler.lastRelease));
    for (const process of processes) {
      for (const { title, since } of process.reconciles) {
        if (scheduler.now - since <= longestReconcile || process.actor.isPaused) continue;
        const seconds = Math.round((scheduler.now - since) / 1000);
        const message = `${process.name} reconciles ${title} for ${seconds} s; ${waiting}`;
        this.#violated({ invariant: builtIn.time, message });
      }
    }
  }

  /** Notes that the steps of the schedule are exhausted. */
  exhausted(steps: number): void {
    const since = Math.round((this.#run.world.scheduler.now - this.lastEffect) / 1000);
    const message = `nothing is settled after ${steps} steps (see maxSteps); the last write was ${since} s ago`;
    this.#violated({ invariant: builtIn.storms, message });
  }

  /**
   * Checks a state in which nothing is left to do.
   *
   * @param isLast - whether the scenario has ended
   */
  settled(isLast: boolean): void {
    const { world, shared, foreignFinalizers, expected, processes } = this.#run;
    const { custom, scheduler, state, verdict } = world;
    if (verdict.isOver) return;
    this.#effects = 0;
    for (const process of processes) {
      for (const { title, since } of process.reconciles) {
        const seconds = Math.round((scheduler.now - since) / 1000);
        const message = `${process.name} reconciles ${title} for ${seconds} s, although nothing happens; ${waiting}`;
        this.#violated({ invariant: builtIn.time, message });
        return;
      }
    }
    if (state.isStalled) {
      verdict.end();
      return;
    }
    this.shards?.settled();
    const snapshot = snapshotOf(state.objects.values(), custom);
    const collections = collectionsOf(shared);
    const { upgrade } = this.#run;
    const label = upgrade?.label ?? String(this.#snapshots.length);
    // After a rollback, the old version must do what it does without the upgrade.
    const reference = upgrade?.isBack ? upgrade.stays : expected;
    const index = reference?.labels && upgrade ? reference.labels.indexOf(label) : this.#snapshots.length;
    const before = reference?.snapshots[index];
    this.#labels.push(label);
    const other = before && split(before);
    this.#snapshots.push(new Map([...snapshot, ...collections]));
    const failures = new Map(processes.flatMap(({ failing }) => [...failing]));
    this.#failures.push(failures);
    this.#worksWithOlderState = false;
    this.#isClusterDisturbed = false;
    this.#excused.clear();
    this.#disturbances.clear();
    // The rules of the user describe a finding better.
    this.#checkInvariants("always");
    this.#checkInvariants("eventually");
    if (isLast || other) this.#violated(checkFinalizers(state, foreignFinalizers, other?.objects));
    if (other && !state.isReadopted && !upgrade?.isBack)
      this.#violated(checkConvergence(other.objects, snapshot, this.#varying, this.#exchanges));
    if (!state.isReadopted) this.#violated(this.#children.checkSettled());
    this.#violated(checkOrphans(state));
    this.#violated(checkTouched(state));
    const failing = reference ? (reference.failures[index] ?? failures) : upgrade?.plainFailures;
    this.#violated(checkFailures(failing, failures));
    if (!upgrade?.isBack) this.#violated(other && checkConvergence(other.collections, collections, this.#varying));
    if (!state.isReadopted) this.#violated(this.#kstatus.checkSettled(failures, expected === undefined));
  }

  get #varying(): Varying {
    const { varying = noVariation, history } = this.#run.expected ?? {};
    return history && this.#isRecreated ? both(varying, history) : varying;
  }

  /** The results of the run so far. */
  get results(): CheckResults {
    const { learned } = this.#run;
    return {
      snapshots: this.#snapshots,
      labels: this.#labels,
      failures: this.#failures,
      learned,
      byHand: this.#byHand,
      position: this.#position,
    };
  }

  /** Whether a write is that of a fault, or of the cluster that reacts to one. */
  #isOfFault(write: StoredWrite): boolean {
    const { actor, now } = this.#run.world.scheduler;
    const isOfFault = actor.name === "someone" || (actor.name === "cluster" && this.#isClusterDisturbed);
    if (isOfFault) this.#disturbances.set(idOf(write, write), { revision: write.revision, time: now });
    return isOfFault;
  }

  /** Whether an operator writes a status although a fault has changed an object since the operator has read it. */
  #describesOlderState(write: StoredWrite, { actor, reconciles }: OperatorProcess): boolean {
    if (this.#disturbances.size === 0 || !changesOnlyStatus(write)) return false;
    const began = Math.min(...[...reconciles].map(({ since }) => since));
    return [...this.#disturbances].some(([id, { revision, time }]) => {
      // Responses of writes aren't sightings.
      const seen = this.#run.world.sightings.last(actor, id);
      return seen === undefined ? began <= time : seen < revision;
    });
  }

  /**
   * Checks the invariants of the user.
   *
   * @param when - which of them
   * @param isExcused - whether a fault has caused the write. A rule that it breaks must hold again when the world is settled
   */
  #checkInvariants(when: "always" | "eventually", isExcused = false): void {
    for (const invariant of this.#run.invariants) {
      if (invariant.when !== when || this.#run.world.verdict.violation) continue;
      const message = this.#brokenBy(invariant);
      if (message === undefined) this.#excused.delete(invariant.name);
      else if (isExcused) this.#excused.add(invariant.name);
      else if (!this.#worksWithOlderState && !this.#excused.has(invariant.name)) {
        this.#violated({ invariant: invariant.name, message });
      }
    }
  }

  /** Checks an invariant. Returns the message of a broken one. */
  #brokenBy({ name, check }: Invariant): string | undefined {
    this.#isChecking = true;
    try {
      const result: unknown = check(this.#run.shared);
      if (result instanceof Promise) throw new TypeError(`invariant ${name}: the check must not be asynchronous`);
      return result === false ? "the check returned false" : undefined;
    } catch (error) {
      return errorText(error);
    } finally {
      this.#isChecking = false;
    }
  }
}

function changesOnlyStatus({ before, after }: StoredWrite): boolean {
  return changes(before, after).every(({ path }) => path === "status" || path.startsWith("status."));
}
