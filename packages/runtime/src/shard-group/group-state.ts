import { type MemberLoad, meanOf } from "../shards/balance.ts";
import { type KeyCount, keysIn, objectsOf } from "../shards/keys.ts";
import { type HashRange, subtractRanges } from "../shards/ranges.ts";
import type { ShardEntry, ShardTable } from "../shards/table.ts";
import type { LeaseObserver, ObservedTable } from "./lease-observer.ts";

/** Objects that members have received or given since their last renewal, which their Leases don't count yet. */
export class PendingMoves {
  readonly #pending = new Map<string, { objects: number; version: string }>();
  #last: ShardTable | undefined;

  /** Compares a table with the last one. */
  observe(table: ObservedTable, observer: LeaseObserver): void {
    if (this.#last === table.ranges) return;
    const before = objectsByOwner(this.#last ?? []);
    const after = objectsByOwner(table.ranges);
    for (const { name, lease } of this.#last ? observer.members.values() : []) {
      const difference = (after.get(name) ?? 0) - (before.get(name) ?? 0);
      if (difference === 0) continue;
      const version = lease.metadata.resourceVersion;
      const earlier = this.#pending.get(name);
      const objects = difference + (earlier?.version === version ? earlier.objects : 0);
      this.#pending.set(name, { objects, version });
    }
    this.#last = table.ranges;
  }

  /** Returns the loads of all members. */
  loads(observer: LeaseObserver, own: { name: string; objects: number }): MemberLoad[] {
    return [...observer.members.values()].map(({ name, state, objects, isIndivisible, lease }) => {
      const pending = this.#pending.get(name);
      const moved = pending?.version === lease.metadata.resourceVersion ? pending.objects : 0;
      const load = name === own.name ? own.objects : Math.max(0, objects + moved);
      return { name, state, objects: load, isIndivisible };
    });
  }
}

function objectsByOwner(table: ShardTable): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { owner, objects } of table) sums.set(owner, (sums.get(owner) ?? 0) + objects);
  return sums;
}

/** Returns the table with the current counts of the member's ranges whose objects are all in its cache. */
export function withCounts(
  table: ShardTable,
  owner: string,
  held: readonly HashRange[],
  keys: readonly KeyCount[],
): ShardTable {
  return table.map((entry): ShardEntry => {
    if (entry.owner !== owner || subtractRanges([entry], held).length > 0) return entry;
    return { ...entry, objects: objectsOf(keysIn(keys, entry)) };
  });
}

/** Time in milliseconds for which a group must be unbalanced before it moves ranges without a change of its members. */
const longUnbalanced = 300_000;
/** Multiple of the tolerance that is unbalanced. */
const unbalancedFactor = 2.5;

/** Decides when a group is balanced: after a change of its members, or after five minutes of a large deviation. */
export class BalancingTrigger {
  readonly #tolerance: number;
  #members = "";
  #since: number | undefined;
  #isActive = false;

  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  /** Returns whether ranges may move now. `deviation` is that of the members that share objects. */
  isActive(loads: readonly MemberLoad[], deviation: number, now: number): boolean {
    const staying = loads.filter(({ state }) => state !== "leaving").map(({ name }) => name);
    const members = staying.sort().join(",");
    if (members !== this.#members) this.#isActive = true;
    this.#members = members;
    if (deviation <= this.#tolerance) {
      // A member that is joining has no objects, so the mean is reached only when it has.
      this.#isActive = false;
      this.#since = undefined;
      return false;
    }
    if (deviation <= unbalancedFactor * this.#tolerance) this.#since = undefined;
    else this.#since ??= now;
    if (this.#since !== undefined && now - this.#since >= longUnbalanced) this.#isActive = true;
    return this.#isActive;
  }
}

/** Detects an operator without sharding that leads. It reconciles all objects, so the members own none. */
export class ForeignLeader {
  readonly #delay: number;
  #since: number | undefined;

  /** @param delay - time in milliseconds by which the Lease of a new member can arrive later than its election */
  constructor(delay: number) {
    this.#delay = delay;
  }

  /** @param identities - the identities of all members */
  leads(holder: string, identities: ReadonlySet<string>, now: number): boolean {
    if (holder === "" || identities.has(holder)) this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since >= this.#delay;
  }
}

/** Returns the number of objects by which a move may differ from the wanted one if the table stays smaller. */
export function slackOf(loads: readonly MemberLoad[], tolerance: number): number {
  return (tolerance * meanOf(loads)) / 2;
}
