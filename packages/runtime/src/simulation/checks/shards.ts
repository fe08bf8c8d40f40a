import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { namespaceHash } from "../../cache/shard-keys.ts";
import type { Lease } from "../../leader-election/lease.ts";
import { type ShardingSettings, shardingSettings } from "../../shard-group/options.ts";
import { tableName, tableOf } from "../../shard-group/shard-leases.ts";
import { shardHash } from "../../shards/hash.ts";
import { containsHash, formatHash } from "../../shards/ranges.ts";
import type { ShardTable } from "../../shards/table.ts";
import type { RecordedEntry } from "../report/timeline.ts";
import { ofShards, type Violation } from "../report/verdict.ts";
import { leaseName } from "../world/lease.ts";
import type { OperatorProcess } from "../world/process.ts";
import type { RunWorld } from "../world/run-world.ts";
import { isOfUsers, titleOf } from "../world/state.ts";
import { isBookkeeping, type Target, targetOf } from "../world/target.ts";
import { electionTimes } from "../world/times.ts";

/**
 * Virtual time in milliseconds after the last fault in which each object gets an owner. With the default times of Leases, it is
 * 30 s; those of simulations are longer by the same factor.
 */
const longestUnowned = (30_000 * electionTimes.leaseDuration) / 15_000;
/** Virtual time in milliseconds after which a group must have begun to balance, and that it may need until its end. */
const longestUnbalanced = 300_000 + longestUnowned;
/** Multiple of the tolerance that a group corrects. */
const unbalancedFactor = 2.5;

/** A range with its owner, and since when that one owns it. */
interface OwnedRange {
  readonly start: bigint;
  readonly end: bigint;
  readonly owner: string;
  readonly since: number;
}

/** Checks that each object has one owner, if replicas share them. */
export class ShardChecks {
  readonly #world: RunWorld;
  readonly #processes: readonly OperatorProcess[];
  readonly #violated: (violation: Violation | undefined) => void;
  readonly #settings: ShardingSettings;
  #ranges: readonly OwnedRange[] = [];
  /** When each process has begun its last reconcile of each object, by the titles. */
  readonly #reconciled = new Map<string, Map<string, number>>();
  /** When the number of objects last changed. */
  #lastChange = 0;
  #nextCheck = 0;

  constructor(
    { world, processes }: { readonly world: RunWorld; readonly processes: readonly OperatorProcess[] },
    sharding: Parameters<typeof shardingSettings>[0],
    violated: (violation: Violation | undefined) => void,
  ) {
    this.#world = world;
    this.#processes = processes;
    this.#violated = violated;
    this.#settings = shardingSettings(sharding);
    world.timeline.subscribe((entry, cause) => {
      this.#onEvent(entry);
      if (cause && "write" in cause) this.#onWrite(cause.write);
    });
  }

  /** Observes a process. */
  observe(process: OperatorProcess): OperatorProcess {
    process.shards.onBegin = (hash) => this.#begun(process, hash);
    process.onSend = (of, request) => {
      const target = targetOf(request);
      if (target) this.#sent(of, target);
    };
    return process;
  }

  #onEvent({ actor, action, object }: RecordedEntry): void {
    if (action !== "reconcile") return;
    const times = this.#reconciled.get(object) ?? new Map<string, number>();
    this.#reconciled.set(object, times.set(this.#processOf(actor)?.identity ?? "", this.#world.scheduler.now));
  }

  #processOf(name: string): OperatorProcess | undefined {
    return this.#processes.find((process) => process.name === name);
  }

  #onWrite({ resource, name, after, isNew, isDeletion }: StoredWrite): void {
    if (resource !== "leases") {
      if (isNew || isDeletion) this.#lastChange = this.#world.scheduler.now;
      return;
    }
    if (name !== tableName(leaseName)) return;
    this.#use(after === undefined ? [] : tableOf(after as unknown as Lease).ranges);
    this.#violated(this.#severalOwners());
  }

  /** Notes the ranges of a new table, and since when each one has its owner. */
  #use(table: ShardTable): void {
    const before = this.#ranges;
    this.#ranges = table.flatMap(({ start, end, owner }): OwnedRange[] => {
      const cuts = [start, ...before.map((range) => range.start).filter((cut) => cut > start && cut < end), end];
      return cuts.slice(1).map((to, index): OwnedRange => {
        const from = cuts[index] as bigint;
        const earlier = before.find((range) => range.start <= from && from < range.end);
        const isSame = earlier?.owner === owner;
        return { start: from, end: to, owner, since: isSame ? earlier.since : this.#world.scheduler.now };
      });
    });
  }

  #rangeOf(hash: bigint): OwnedRange | undefined {
    return this.#ranges.find((range) => containsHash([range], hash));
  }

  /** Notes that a process begins a reconcile of an object with a hash. */
  #begun(process: OperatorProcess, hash: bigint): void {
    const { owner } = this.#rangeOf(hash) ?? { owner: "" };
    if (owner === "" || owner === process.member) return;
    this.#violated(this.#foreign(process, "starts a reconcile", hash, owner));
  }

  /** Notes that a process sends a write while it reconciles objects with some hashes. */
  #sent(process: OperatorProcess, target: Target): void {
    if (isBookkeeping(target)) return;
    const hash = namespaceHash(target.namespace);
    const isOfNamespace = this.#settings.key === "namespace" && target.namespace !== "";
    const hashes = [...process.shards.hashes].filter((running) => !isOfNamespace || running === hash);
    const owners = hashes.map((running) => this.#rangeOf(running)?.owner ?? "");
    if (owners.length === 0 || owners.some((owner) => owner === "" || owner === process.member)) return;
    this.#violated(
      this.#foreign(process, `writes ${target.resource} ${target.name}`, hashes[0] as bigint, owners[0] as string),
    );
  }

  #foreign(process: OperatorProcess, what: string, hash: bigint, owner: string): Violation {
    const { start = 0n, end = 0n, since = 0 } = this.#rangeOf(hash) ?? {};
    const range = `[${formatHash(start)}, ${formatHash(end)})`;
    const message = `${process.member} ${what}, but ${owner} owns the range ${range} since ${since / 1000} s`;
    return { invariant: ofShards.owner, message };
  }

  #severalOwners(): Violation | undefined {
    for (const { object } of this.#objects()) {
      const owners = this.#ownersOf(object);
      if (owners.length < 2) continue;
      const names = owners.map(({ member }) => member).join(" and ");
      return { invariant: ofShards.owner, message: `${titleFor(object)} belongs to ${names}` };
    }
    return undefined;
  }

  /** The custom resources of users. */
  #objects(): { object: KubernetesObject }[] {
    const { state, custom } = this.#world;
    return [...state.objects.values()].filter(
      (tracked) => isOfUsers(tracked) && custom.has(`${tracked.group}/${tracked.object.kind}`),
    );
  }

  #ownersOf(object: KubernetesObject): OperatorProcess[] {
    return this.#processes.filter(({ actor, manager }) => !actor.isEnded && manager?.shards?.owns(object));
  }

  /** Whether each object has an owner. */
  get areOwned(): boolean {
    return this.#ranges.length > 0 && this.#objects().every(({ object }) => this.#ownersOf(object).length > 0);
  }

  /**
   * Checks that objects don't wait too long for their owner.
   *
   * @param since - the time of the last fault, write or start of a process
   */
  overdue(since: number): void {
    const { now, isHolding } = this.#world.scheduler;
    if (now < this.#nextCheck) return;
    this.#nextCheck = now + electionTimes.retryPeriod / 2;
    this.#violated(this.#severalOwners());
    if (isHolding || now - since <= longestUnowned || this.areOwned) return;
    const waiting = this.#objects().find(({ object }) => this.#ownersOf(object).length === 0)?.object;
    if (!waiting) return;
    const message = `${titleFor(waiting)} has no owner ${Math.round((now - since) / 1000)} s after the last change`;
    this.#violated({ invariant: ofShards.owned, message });
  }

  /** Checks a state in which nothing is left to do. */
  settled(): void {
    this.#violated(this.#severalOwners() ?? this.#withoutReconcile() ?? this.#unbalanced());
  }

  /** Finds an object that its owner hasn't reconciled since it has acquired the range. */
  #withoutReconcile(): Violation | undefined {
    for (const { object } of this.#objects()) {
      const times = this.#reconciled.get(reconcileTitle(object));
      const [owner] = this.#ownersOf(object);
      if (!times || !owner) continue;
      const { since = 0 } = this.#rangeOf(this.#hashOf(object)) ?? {};
      if ((times.get(owner.identity) ?? -1) >= since) continue;
      const message = `${owner.member} owns ${titleFor(object)} since ${since / 1000} s, and hasn't reconciled it since`;
      return { invariant: ofShards.owned, message };
    }
    return undefined;
  }

  #hashOf({ metadata = {} }: KubernetesObject): bigint {
    const { namespace, uid = "" } = metadata;
    return this.#settings.key === "namespace" && namespace ? namespaceHash(namespace) : shardHash(uid);
  }

  #unbalanced(): Violation | undefined {
    const { scheduler } = this.#world;
    const live = this.#processes.filter(({ actor, manager }) => !actor.isEnded && manager?.shards !== undefined);
    const since = Math.max(this.#lastChange, scheduler.lastRelease, ...live.map(({ startedAt }) => startedAt));
    if (scheduler.now - since < longestUnbalanced) return undefined;
    const counts = new Map(live.map((process) => [process, 0]));
    const keys = new Map<bigint, number>();
    const objects = this.#objects().filter(({ object }) => this.#reconciled.has(reconcileTitle(object)));
    for (const { object } of objects) {
      const [owner] = this.#ownersOf(object);
      if (owner) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      const hash = this.#hashOf(object);
      keys.set(hash, (keys.get(hash) ?? 0) + 1);
    }
    const mean = objects.length / Math.max(1, live.length);
    const allowed = unbalancedFactor * this.#settings.tolerance * mean + Math.max(0, ...keys.values());
    const worst = [...counts].find(([, count]) => Math.abs(count - mean) > allowed);
    if (!worst) return undefined;
    const [process, count] = worst;
    const message = `${process.member} owns ${count} of ${objects.length} objects, shared by ${live.length} processes`;
    return { invariant: ofShards.balanced, message };
  }
}

function titleFor({ kind = "", metadata = {} }: KubernetesObject): string {
  return titleOf({ kind, namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
}

/** The title of an object's reconciles by a controller with the default name. */
function reconcileTitle({ kind = "", metadata = {} }: KubernetesObject): string {
  return `${kind.toLowerCase()} ${[metadata.namespace, metadata.name].filter(Boolean).join("/")}`;
}
