import type { StoredWrite } from "@kubewright/apiserver";
import { errorText } from "../../log/error-text.ts";
import { changes } from "../report/differences.ts";
import type { Timeline } from "../report/timeline.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import { holderOf, isElection } from "../world/lease.ts";
import type { OperatorProcess } from "../world/process.ts";
import type { Sightings } from "../world/sightings.ts";
import { idOf, type State, titleOf } from "../world/state.ts";
import type { World } from "../world/world.ts";
import { collectionsOf, split } from "./external.ts";
import type { Invariant } from "./invariant.ts";
import { Learned, type ProbeResults } from "./learned.ts";
import {
  builtIn,
  checkConvergence,
  checkFailures,
  checkFinalizers,
  checkOrphans,
  checkStatus,
  checkTouched,
  type Failures,
  type Touch,
  type Violation,
} from "./settled.ts";
import { both, kindOf, noVariation, type Snapshot, snapshotOf, type Varying } from "./snapshot.ts";

/** Results of the run without faults. */
export interface Baseline {
  snapshots: readonly Snapshot[];
  /** The reconciles that still fail in each settled state. */
  failures: readonly Failures[];
  /** Differences between runs without faults. */
  varying: Varying;
  /** Differences from a run without faults in which the objects of the user were created again, once it is needed. */
  history?: Varying | undefined;
  probed?: ProbeResults;
  /** States before which the operator doesn't restore a kind that it restores in others, once it is needed. */
  unrestored?: ReadonlySet<string>;
  learned: Learned;
}

/** The parts of a run for its checks. */
export interface CheckedRun {
  /** The rules of the user. */
  readonly invariants: readonly Invariant[];
  /** The custom kinds, as `group/kind`. */
  readonly custom: ReadonlySet<string>;
  /** Finalizers that the operator doesn't own. */
  readonly foreignFinalizers: ReadonlySet<string>;
  readonly expected: Baseline | undefined;
  /** The name of the rule whose state is checked after each event that can change it. */
  readonly trace: string | undefined;
  readonly timeline: Timeline;
  readonly scheduler: Scheduler;
  readonly processes: readonly OperatorProcess[];
  readonly sightings: Sightings;
  readonly world: World;
  state(): State;
}

/** Writes, and virtual time in milliseconds from the first one or the last fault, after which a world that isn't settled is a storm. */
const maxEffects = 200;
const stormTime = 60_000;
const waiting =
  "does it wait for a child that may never become ready, or for something real, such as import()? return instead, and let a watch or requeueAfter continue";
/** Virtual time in milliseconds that a reconcile may take. The longest faults take two minutes. */
const longestReconcile = 30 * 60_000;

/** Checks one run: each write, and each settled state. */
export class RunChecks {
  violation: Violation | undefined;
  /** Whether the operator must not write, because all its work is done. */
  isIdle = false;
  /**
   * Whether a process works with an older state than another one has read, or somebody has changed an object while the operator
   * works. Until the world is settled, rules that don't hold after a write are then no finding: each operator relies on what it
   * has read.
   */
  worksWithOlderState = false;
  /** Whether a fault has changed an object since the last settled state, to which the cluster's controllers react. */
  #isClusterDisturbed = false;
  /**
   * Whether children never become what they become without faults. The state that the operator should reach is then undefined, so only
   * the work until the world is settled is checked.
   */
  isStalled = false;
  /** Whether nothing is left to check. */
  isOver = false;
  /** Whether a rule of the user is being checked. */
  isChecking = false;
  /** Virtual time of the last write that changed something. */
  lastEffect = 0;
  readonly snapshots: Snapshot[] = [];
  readonly failures: Failures[] = [];
  /** Annotations that another client has set, by object. */
  readonly touches: Map<string, Touch> = new Map();
  readonly learned: Learned;
  /** The settled states before which somebody has changed something by hand, with the kind of the object. */
  readonly byHand: Set<string> = new Set();
  /** Rules that a fault has broken, and that the operator hasn't restored yet. */
  readonly #excused = new Set<string>();
  /** The last write of each object by a fault, or by the cluster that reacts to one, since the last settled state. */
  readonly #disturbances = new Map<string, { revision: number; time: number }>();
  /** Values that objects have exchanged, compared with the run without faults. */
  readonly #exchanges = new Set<string>();
  readonly #run: CheckedRun;
  /** Index of the event since which the traced rule isn't kept. */
  #position: number | undefined;
  #lastFault = 0;
  #isRecreated = false;
  /** Writes since the last fault or settled state, and the virtual time of the first one. */
  #effects = 0;
  #firstEffect = 0;

  constructor(run: CheckedRun) {
    this.#run = run;
    this.learned = run.expected?.learned ?? new Learned(run.custom);
  }

  /** Notes a broken rule, unless there is one already. */
  violated(violation: Violation | undefined): void {
    if (!violation || this.violation) return;
    this.violation = violation;
    this.isOver = true;
    this.#run.timeline.add("simulation", "broken", "", "", `${violation.invariant}: ${violation.message}`);
  }

  /** Notes that a fault has happened, and the object that it is about. */
  disturbed(name: FaultName, object: string): void {
    this.#isRecreated ||= name === "recreate";
    const { scheduler, processes } = this.#run;
    const isWorking =
      scheduler.isBusy || scheduler.isHolding || processes.some(({ reconciles }) => reconciles.size > 0);
    const isChange = name === "hands" || name === "recreate" || (name === "children" && object !== "");
    this.#isClusterDisturbed ||= isChange;
    // The events of the objects that are deleted with their owner arrive in any order.
    if (name === "recreate" || (name === "hands" && isWorking)) this.worksWithOlderState = true;
    if (name === "hands") this.byHand.add(`${this.snapshots.length} ${kindOf(object)}`);
    this.#effects = 0;
    this.#lastFault = this.#run.scheduler.now;
    this.lastEffect = this.#run.scheduler.now;
  }

  /** Begins to count the writes until the world is settled. */
  beginSettling(): void {
    this.#effects = 0;
    this.lastEffect = this.#run.scheduler.now;
  }

  /** Checks a write that has changed something, and the rules that hold always. */
  wrote(write: StoredWrite, action: string, process: OperatorProcess | undefined): void {
    const { scheduler, expected } = this.#run;
    const title = titleOf(write);
    this.lastEffect = scheduler.now;
    this.traced();
    if (process && this.isIdle) {
      this.violated({ invariant: builtIn.idempotence, message: `${process.name} ${action}s ${title}` });
    }
    if (!expected) {
      this.learned.wrote(write, process !== undefined);
      this.learned.orphans ||= this.#run.state().orphaned.size > 0;
    }
    if (this.#effects === 0) this.#firstEffect = scheduler.now;
    this.#effects = scheduler.isHolding ? 0 : this.#effects + 1;
    const began = Math.max(this.#firstEffect, this.#lastFault, scheduler.lastRelease);
    if (this.#effects > maxEffects && scheduler.now - began > stormTime) {
      const last = `${scheduler.actor.name}'s ${action} of ${title}`;
      const message = `${this.#effects} writes, and nothing is settled; the last is ${last}`;
      this.violated({ invariant: builtIn.storms, message });
    }
    if (process) this.violated(checkStatus(this.#run.state().objects.get(idOf(write, write))));
    this.invariants("always", process ? this.#describesOlderState(write, process) : this.#isOfFault(write));
  }

  /** Checks the traced rule after an event that can change it. */
  traced(): void {
    const { trace, invariants, timeline, world } = this.#run;
    const invariant = invariants.find(({ name }) => name === trace);
    if (!invariant || this.violation) return;
    this.isChecking = true;
    const isKept = brokenBy(invariant, world) === undefined;
    this.isChecking = false;
    if (isKept) this.#position = undefined;
    else this.#position ??= timeline.last;
  }

  /** Checks the write of a Lease. Its renewals don't count as work. */
  wroteLease(write: StoredWrite): void {
    // A new leader reconciles everything.
    if (holderOf(write.before) !== holderOf(write.after)) this.lastEffect = this.#run.scheduler.now;
    if (!isElection(write)) this.invariants("always");
  }

  /** Checks that no reconcile takes longer than any that waits for its requests. */
  overdue(): void {
    const { processes, scheduler } = this.#run;
    for (const process of processes) {
      for (const { title, since } of process.reconciles) {
        if (scheduler.now - since <= longestReconcile || process.actor.isPaused) continue;
        const seconds = Math.round((scheduler.now - since) / 1000);
        const message = `${process.name} reconciles ${title} for ${seconds} s; ${waiting}`;
        this.violated({ invariant: builtIn.time, message });
      }
    }
  }

  /** Notes that the steps of the schedule are exhausted. */
  exhausted(steps: number): void {
    const since = Math.round((this.#run.scheduler.now - this.lastEffect) / 1000);
    const message = `nothing is settled after ${steps} steps (see maxSteps); the last write was ${since} s ago`;
    this.violated({ invariant: builtIn.storms, message });
  }

  /**
   * Checks a state in which nothing is left to do.
   *
   * @param isLast - whether the scenario has ended
   */
  settled(isLast: boolean): void {
    const { custom, foreignFinalizers, expected, processes, scheduler } = this.#run;
    if (this.violation) return;
    this.#effects = 0;
    for (const process of processes) {
      for (const { title, since } of process.reconciles) {
        const seconds = Math.round((scheduler.now - since) / 1000);
        const message = `${process.name} reconciles ${title} for ${seconds} s, although nothing happens; ${waiting}`;
        this.violated({ invariant: builtIn.time, message });
        return;
      }
    }
    if (this.isStalled) {
      this.isOver = true;
      return;
    }
    const state = this.#run.state();
    const snapshot = snapshotOf(state.objects.values(), custom);
    const collections = collectionsOf(this.#run.world.external);
    const index = this.snapshots.length;
    const before = expected?.snapshots[index];
    const other = before && split(before);
    this.snapshots.push(new Map([...snapshot, ...collections]));
    const failures = new Map(processes.flatMap(({ failing }) => [...failing]));
    this.failures.push(failures);
    this.worksWithOlderState = false;
    this.#isClusterDisturbed = false;
    this.#excused.clear();
    this.#disturbances.clear();
    // The rules of the user describe a finding better.
    this.invariants("always");
    this.invariants("eventually");
    if (isLast || other) this.violated(checkFinalizers(state, foreignFinalizers, other?.objects));
    if (other && !state.isReadopted)
      this.violated(checkConvergence(other.objects, snapshot, this.#varying, this.#exchanges));
    this.violated(checkOrphans(state));
    this.violated(checkTouched(state, this.touches));
    this.violated(checkFailures(expected && (expected.failures[index] ?? failures), failures));
    this.violated(other && checkConvergence(other.collections, collections, this.#varying));
  }

  get #varying(): Varying {
    const { varying = noVariation, history } = this.#run.expected ?? {};
    return history && this.#isRecreated ? both(varying, history) : varying;
  }

  /** The results of the run so far. */
  get results(): Pick<RunChecks, "violation" | "snapshots" | "failures" | "learned" | "byHand"> & {
    position: number | undefined;
  } {
    const { violation, snapshots, failures, learned, byHand } = this;
    return { violation, snapshots, failures, learned, byHand, position: this.#position };
  }

  /** Whether a write is that of a fault, or of the cluster that reacts to one. */
  #isOfFault(write: StoredWrite): boolean {
    const { actor, now } = this.#run.scheduler;
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
      const seen = this.#run.sightings.last(actor, id);
      return seen === undefined ? began <= time : seen < revision;
    });
  }

  /**
   * Checks the invariants of the user.
   *
   * @param when - which of them
   * @param isExcused - whether a fault has caused the write. A rule that it breaks must hold again when the world is settled
   */
  invariants(when: "always" | "eventually", isExcused = false): void {
    for (const invariant of this.#run.invariants) {
      if (invariant.when !== when || this.violation) continue;
      this.isChecking = true;
      const message = brokenBy(invariant, this.#run.world);
      this.isChecking = false;
      if (message === undefined) this.#excused.delete(invariant.name);
      else if (isExcused) this.#excused.add(invariant.name);
      else if (!this.worksWithOlderState && !this.#excused.has(invariant.name)) {
        this.violated({ invariant: invariant.name, message });
      }
    }
  }
}

/** Checks an invariant. Returns the message of a broken one. */
function brokenBy({ name, check }: Invariant, world: World): string | undefined {
  try {
    const result: unknown = check(world);
    if (result instanceof Promise) throw new TypeError(`invariant ${name}: the check must not be asynchronous`);
    return result === false ? "the check returned false" : undefined;
  } catch (error) {
    return errorText(error);
  }
}

function changesOnlyStatus({ before, after }: StoredWrite): boolean {
  return changes(before, after).every(({ path }) => path === "status" || path.startsWith("status."));
}
