import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { getControllerOf } from "../../controllerutil/owner-references.ts";
import { computeStatus } from "../../kstatus/compute-status.ts";
import { builtIn, type Violation } from "../report/verdict.ts";
import type { Actor } from "../schedule/actor.ts";
import type { RunWorld } from "../world/run-world.ts";
import { idOf, type Tracked, titleOf } from "../world/state.ts";
import type { Failures } from "./settled.ts";

/** Whether an object was current after a write of it. */
interface Version {
  readonly revision: number;
  readonly isCurrent: boolean;
}

/** The condition types from which tools compute the state of an object. */
const decisive = new Set<unknown>(["Ready", "Reconciling", "Stalled"]);

/** Checks the states that Helm, Flux and kubectl compute from the objects of the project's kinds. */
export class KstatusChecks {
  readonly #world: RunWorld;
  /** The kinds that may be checked, as `group/kind`. */
  readonly #allowed: ReadonlySet<string>;
  /** The kinds whose objects report their state in the run without faults, as `group/kind`. */
  readonly #reporting: Set<string>;
  /** The states of children after each write, by the ids of the children. */
  readonly #versions = new Map<string, Version[]>();

  /**
   * @param world - the run
   * @param allowed - the kinds that may be checked, as `group/kind`
   * @param reporting - the kinds whose objects report their state. The run without faults adds to it
   */
  constructor(world: RunWorld, allowed: ReadonlySet<string>, reporting: Set<string>) {
    this.#world = world;
    this.#allowed = allowed;
    this.#reporting = reporting;
  }

  /** Notes the state of a child after a write. */
  noteChild(write: StoredWrite): void {
    const id = idOf(write, write);
    const object = write.after as unknown as KubernetesObject | undefined;
    if (!object || write.isDeletion) this.#versions.delete(id);
    else if (this.#allowed.size > 0 && getControllerOf(object) !== undefined) {
      const versions = this.#versions.get(id) ?? [];
      versions.push({ revision: write.revision, isCurrent: this.#isCurrent(object) });
      this.#versions.set(id, versions);
    }
  }

  /**
   * Checks a write of the operator: an object must not become current before its children.
   *
   * @param write - the write
   * @param actor - the process that has sent it
   */
  checkWrite(write: StoredWrite, actor: Actor): Violation | undefined {
    const { before, after } = write;
    if (!before || !after || !this.#reporting.has(`${write.group}/${write.kind}`)) return undefined;
    if (JSON.stringify(before.status) === JSON.stringify(after.status)) return undefined;
    if (this.#isCurrent(before) || !this.#isCurrent(after)) return undefined;
    const { uid } = (after as unknown as KubernetesObject).metadata ?? {};
    const child = this.#childrenOf(uid).find((tracked) => this.#isBehind(tracked, actor));
    if (!child) return undefined;
    const { status, message } = this.#stateOf(child.object);
    return {
      invariant: builtIn.early,
      message: `${titleOf(write)} becomes Current, but its ${nameOf(child)} is ${status}: ${message}`,
    };
  }

  /**
   * Checks a settled state: an object whose children are current must be current, unless a person has to act.
   *
   * @param failures - the reconciles that fail
   * @param isFirst - whether this is the run without faults, from which the kinds are learned
   */
  checkSettled(failures: Failures, isFirst: boolean): Violation | undefined {
    for (const tracked of this.#world.state.objects.values()) {
      const type = `${tracked.group}/${tracked.object.kind}`;
      if (isFirst && this.#allowed.has(type) && reportsState(tracked.object)) this.#reporting.add(type);
      if (!this.#reporting.has(type)) continue;
      const { status, message } = this.#stateOf(tracked.object);
      if (status !== "InProgress" && status !== "Unknown") continue;
      const { uid, namespace = "", name = "" } = tracked.object.metadata ?? {};
      if (!this.#childrenOf(uid).every(({ object }) => this.#isCurrent(object))) continue;
      const key = [namespace, name].filter(Boolean).join("/");
      if ([...failures.keys()].some((title) => title.endsWith(` ${key}`))) continue;
      return { invariant: builtIn.settledState, message: `${nameOf(tracked)} is ${status}: ${message}` };
    }
    return undefined;
  }

  /** Whether a child is current neither on the server nor in the version that a process has read last. */
  #isBehind({ id, object }: Tracked, actor: Actor): boolean {
    // Its end is the wish of the operator, or that of the user.
    if (object.metadata?.deletionTimestamp !== undefined || this.#isCurrent(object)) return false;
    const seen = this.#world.sightings.last(actor, id);
    if (seen === undefined) return true;
    const version = this.#versions.get(id)?.findLast(({ revision }) => revision <= seen);
    return version?.isCurrent !== true;
  }

  #childrenOf(uid: string | undefined): readonly Tracked[] {
    if (uid === undefined) return [];
    return [...this.#world.state.objects.values()].filter(({ object }) => getControllerOf(object)?.uid === uid);
  }

  #isCurrent(object: object): boolean {
    return this.#stateOf(object).status === "Current";
  }

  #stateOf(object: object): ReturnType<typeof computeStatus> {
    return computeStatus(object, new Date(this.#world.scheduler.time));
  }
}

/** Whether the status of an object has a field from which tools compute its state. */
function reportsState(object: KubernetesObject & { status?: unknown }): boolean {
  const { observedGeneration, conditions } = (object.status ?? {}) as {
    observedGeneration?: unknown;
    conditions?: unknown;
  };
  if (observedGeneration !== undefined) return true;
  return Array.isArray(conditions) && conditions.some((condition) => decisive.has(condition?.type));
}

function nameOf({ object: { kind = "", metadata } }: Tracked): string {
  return titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
}
