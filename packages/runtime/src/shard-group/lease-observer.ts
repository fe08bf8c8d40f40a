import type { KubernetesObject } from "../api/index.ts";
import type { ConnectionGate } from "../cache/connection-gate.ts";
import type { ListWatch } from "../cache/list-watch.ts";
import { Reflector } from "../cache/reflector.ts";
import { versionNumber } from "../cache/version.ts";
import type { Stored } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Random } from "../clock/random.ts";
import type { Lease } from "../leader-election/lease.ts";
import type { Logger } from "../log/logger.ts";
import { type MemberStatus, statusOf, type TableContent, tableName, tableOf } from "./shard-leases.ts";

/** A member, as this process has seen it. */
export interface ObservedMember extends MemberStatus {
  readonly name: string;
  /** Its identity as a candidate for the leader. */
  readonly identity: string;
  readonly lease: Stored<Lease>;
  /** When this process saw the last change, by the monotonic clock. Clocks of other machines aren't compared. */
  readonly seenAt: number;
  /** Whether this process has seen a renewal, so that the member lived after the start of this process. */
  readonly hasRenewed: boolean;
}

/** The table, as this process has seen it. */
export interface ObservedTable extends TableContent {
  readonly lease: Stored<Lease>;
}

export interface LeaseObserverOptions {
  id: string;
  listWatch: ListWatch;
  gate: ConnectionGate;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Called after each change. */
  onChange: () => void;
  /** Called if the table was deleted, replaced or isn't valid. */
  onBrokenTable: (error: Error) => void;
}

/** Watches the Leases of a group with one watch, and remembers when they changed. */
export class LeaseObserver {
  /** The members whose Lease exists, by name. */
  readonly members: Map<string, ObservedMember> = new Map();
  /** Identities of all members that were ever seen. */
  readonly identities: Set<string> = new Set();
  readonly #options: LeaseObserverOptions;
  /** When the last renewal of members that are gone was seen. */
  readonly #lastSeen = new Map<string, number>();
  #table: ObservedTable | undefined;
  #hasSynced = false;

  constructor(options: LeaseObserverOptions) {
    this.#options = options;
  }

  /** Whether the Leases were listed. Before, a missing one means nothing. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The table, if it exists. */
  get table(): ObservedTable | undefined {
    return this.#table;
  }

  /** Returns when a member's last renewal was seen, also if its Lease is gone. */
  lastSeen(name: string): number | undefined {
    return this.members.get(name)?.seenAt ?? this.#lastSeen.get(name);
  }

  /** Watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { listWatch, gate, clock, random, log } = this.#options;
    const reflector = new Reflector({
      listWatch,
      gate,
      clock,
      random,
      log,
      target: {
        replace: (objects, version) => this.#replace(objects, version),
        set: (object) => this.accept(object as Stored<Lease>),
        remove: (object) => this.#remove(object as Stored<Lease>),
        progress: () => {},
      },
    });
    await reflector.run(signal);
  }

  /** Records a Lease from the watch or a response. Older states than the last one are ignored. */
  accept(lease: Stored<Lease>): void {
    if (lease.metadata.name === tableName(this.#options.id)) this.#acceptTable(lease);
    else this.#acceptMember(lease);
    this.#options.onChange();
  }

  #replace(objects: readonly KubernetesObject[], version: string): void {
    const names = new Set(objects.map(({ metadata }) => metadata?.name));
    const listed = versionNumber(version);
    // A response can be newer than the list.
    const isGone = ({ metadata }: Lease): boolean =>
      !names.has(metadata.name) && (versionNumber(metadata.resourceVersion) ?? 0n) <= (listed ?? 0n);
    for (const { lease } of [...this.members.values()]) if (isGone(lease)) this.#remove(lease);
    if (this.#table && isGone(this.#table.lease)) this.#remove(this.#table.lease);
    this.#hasSynced = true;
    for (const object of objects) this.accept(object as Stored<Lease>);
    this.#options.onChange();
  }

  #acceptMember(lease: Stored<Lease>): void {
    const name = lease.metadata.name.slice(this.#options.id.length + 1);
    const earlier = this.members.get(name);
    if (earlier && !isNewer(lease, earlier.lease)) return;
    const identity = lease.spec?.holderIdentity ?? "";
    this.identities.add(identity);
    const seenAt = this.#options.clock.now();
    this.members.set(name, { ...statusOf(lease), name, identity, lease, seenAt, hasRenewed: earlier !== undefined });
  }

  #acceptTable(lease: Stored<Lease>): void {
    const earlier = this.#table?.lease;
    if (earlier && earlier.metadata.uid !== lease.metadata.uid) this.#broken("the table was replaced");
    else if (!earlier || isNewer(lease, earlier)) this.#readTable(lease);
  }

  #readTable(lease: Stored<Lease>): void {
    try {
      this.#table = { ...tableOf(lease), lease };
    } catch (error) {
      this.#options.onBrokenTable(error as Error);
    }
  }

  #remove(lease: Stored<Lease>): void {
    const { name, uid } = lease.metadata;
    if (name === tableName(this.#options.id)) {
      if (this.#table?.lease.metadata.uid === uid) this.#broken("the table was deleted");
      return;
    }
    const member = name.slice(this.#options.id.length + 1);
    const observed = this.members.get(member);
    if (observed?.lease.metadata.uid !== uid) return;
    this.#lastSeen.set(member, observed.seenAt);
    this.members.delete(member);
    this.#options.onChange();
  }

  #broken(why: string): void {
    this.#options.onBrokenTable(new Error(`shard membership lost: ${why}`));
  }
}

function isNewer(lease: Stored<Lease>, than: Stored<Lease>): boolean {
  const [version, earlier] = [lease, than].map(({ metadata }) => versionNumber(metadata.resourceVersion));
  if (version === undefined || earlier === undefined)
    return lease.metadata.resourceVersion !== than.metadata.resourceVersion;
  return version > earlier;
}
