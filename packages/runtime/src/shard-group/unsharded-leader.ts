import type { Client, Stored } from "../client/client.ts";
import { timeoutSignal } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { findApiError, isConflict, isNotFound } from "../errors/predicates.ts";
import { Lease } from "../leader-election/lease.ts";
import type { LeaseDurations } from "../leader-election/options.ts";
import type { Logger } from "../log/logger.ts";
import { ownersOf } from "../shards/table.ts";
import { type GroupName, groupLabel, suspendedTable, tableName, tableOf } from "./shard-leases.ts";

export interface UnshardedLeaderOptions extends Omit<LeaseDurations, "renewDeadline"> {
  client: Client;
  group: GroupName;
  /** Identity of this process, the leader. */
  identity: string;
  clock: Clock;
  log: Logger;
}

interface SeenMember {
  version: string;
  /** When this process saw the last change, by the monotonic clock. */
  at: number;
  /** Time in milliseconds without a renewal after which the member is dead. */
  duration: number;
}

/** Waits in a leader without sharding until no replica with sharding owns objects. */
export class UnshardedLeader {
  readonly #options: UnshardedLeaderOptions;
  readonly #members = new Map<string, SeenMember>();
  readonly #startedAt: number;
  #reported = "";

  constructor(options: UnshardedLeaderOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /**
   * Resolves when no range has a live owner, and no member can take one. Failures are logged and retried. Without the
   * permission to read or write the Leases, it waits for the duration of a Lease.
   *
   * @returns `false` if the signal aborted first
   */
  async waitForRelease(signal: AbortSignal): Promise<boolean> {
    const { clock, log, retryPeriod, leaseDuration } = this.#options;
    while (!signal.aborted) {
      const limit = timeoutSignal(clock, leaseDuration / 3, signal);
      try {
        if (await this.#isReleased(limit.signal)) return !signal.aborted;
      } catch (error) {
        if (signal.aborted) break;
        if (findApiError(error)?.code === 403) {
          log.error(error, "The Leases of the shards aren't accessible: waiting for the duration of a Lease");
          await sleep(clock, leaseDuration, signal);
          break;
        }
        if (!isConflict(error)) log.error(error, "Failed to wait for the release of the shards");
      } finally {
        limit.release();
      }
      await sleep(clock, retryPeriod / 2, signal);
    }
    return !signal.aborted;
  }

  async #isReleased(signal: AbortSignal): Promise<boolean> {
    const { client, group, identity } = this.#options;
    const { items } = await client.list(Lease, {
      namespace: group.namespace,
      labels: { [groupLabel]: group.id },
      signal,
    });
    const table = items.find(({ metadata }) => metadata.name === tableName(group.id));
    if (!table) return true;
    const existing = await this.#observe(
      items.filter((lease) => lease !== table),
      signal,
    );
    const content = tableOf(table);
    const owners = [...ownersOf(content.ranges)].filter((owner) => existing.has(owner) || this.#canAct(owner));
    this.#report(owners);
    if (owners.length > 0) return false;
    // From now on, no member takes a range, because each change of the table requires its resource version.
    await client.update(suspendedTable(table, content, identity), { signal });
    return true;
  }

  /** Deletes the Leases of members whose renewals have stopped, so that these end. Returns the names of the others. */
  async #observe(leases: readonly Stored<Lease>[], signal: AbortSignal): Promise<Set<string>> {
    const { client, clock, group, leaseDuration } = this.#options;
    const existing = new Set<string>();
    for (const lease of leases) {
      const { name, uid, resourceVersion: version } = lease.metadata;
      const member = name.slice(group.id.length + 1);
      const duration = Math.max(leaseDuration, (lease.spec?.leaseDurationSeconds ?? 0) * 1000);
      const earlier = this.#members.get(member);
      const seen = earlier?.version === version ? earlier : { version, at: clock.now(), duration };
      this.#members.set(member, seen);
      if (clock.now() - seen.at < duration) existing.add(member);
      else await client.delete(lease, { preconditions: { uid, resourceVersion: version }, signal }).catch(unlessGone);
    }
    return existing;
  }

  /** Whether a member without a Lease can still act, because its last renewal isn't old enough. */
  #canAct(member: string): boolean {
    const { clock, leaseDuration } = this.#options;
    const { at, duration } = this.#members.get(member) ?? { at: this.#startedAt, duration: leaseDuration };
    return clock.now() - Math.max(at, this.#startedAt) < duration;
  }

  #report(owners: readonly string[]): void {
    const text = owners.join(", ");
    if (text !== this.#reported && text !== "") {
      this.#options.log.info("Waiting for replicas with sharding, which still own objects", { owners: text });
    }
    this.#reported = text;
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
