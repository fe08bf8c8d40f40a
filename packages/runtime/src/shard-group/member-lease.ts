import type { Client, Stored } from "../client/client.ts";
import { linkSignals, timeoutSignal } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../errors/predicates.ts";
import { Lease } from "../leader-election/lease.ts";
import type { LeaseDurations } from "../leader-election/options.ts";
import type { Logger } from "../log/logger.ts";
import { type GroupName, type MemberStatus, memberLease, renewedLease } from "./shard-leases.ts";

export interface MemberLeaseOptions extends LeaseDurations {
  client: Client;
  group: GroupName;
  name: string;
  identity: string;
  labels?: Readonly<Record<string, string>>;
  clock: Clock;
  log: Logger;
  /** Returns the status that the member publishes. Called before each renewal. */
  status: () => MemberStatus;
  /** Receives the stored Lease after each write. */
  onWritten: (lease: Stored<Lease>) => void;
}

/** The Lease of this process as a member. It is created once, and renewed until it is removed or lost. */
export class MemberLease {
  readonly #options: MemberLeaseOptions;
  #lease: Stored<Lease> | undefined;
  /** When the last successful renewal was sent, by the monotonic clock and by the wall clock. */
  #renewed: { at: number; date: number } | undefined;
  #isLost = false;
  /** Whether this process has ended its membership. */
  #isRemoved = false;
  #last: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(options: MemberLeaseOptions) {
    this.#options = options;
  }

  /** Whether the Lease was created. */
  get exists(): boolean {
    return this.#lease !== undefined;
  }

  /**
   * Whether the last renewal is so recent that no other member can count this process as dead. After a jump of the wall clock,
   * the machine may have been suspended without progress of the monotonic clock, so the next renewal decides.
   */
  get isFresh(): boolean {
    return this.freshFor > 0;
  }

  /** Time in milliseconds for which the Lease stays fresh without a renewal. */
  get freshFor(): number {
    const { clock, renewDeadline } = this.#options;
    if (!this.#renewed || this.#isLost) return 0;
    const elapsed = clock.now() - this.#renewed.at;
    const jump = Math.abs(clock.date().getTime() - this.#renewed.date - elapsed);
    return jump > renewDeadline ? 0 : Math.max(0, renewDeadline - elapsed);
  }

  /** Creates the Lease. Failures are logged and retried. Resolves to `false` if the signal aborts first. */
  async create(signal: AbortSignal): Promise<boolean> {
    const { client, clock, log, group, name, identity, labels, leaseDuration, retryPeriod, status } = this.#options;
    const first = { at: clock.now(), date: clock.date().getTime() };
    while (!signal.aborted) {
      const at = clock.now();
      const date = clock.date();
      const limit = timeoutSignal(clock, this.#timeout(), signal);
      try {
        const lease = memberLease(group, name, identity, { status: status(), leaseDuration, date, labels });
        this.#stored(await client.create(lease, { signal: limit.signal }), at, date);
        return true;
      } catch (error) {
        if (signal.aborted) break;
        // An earlier attempt has succeeded without a response. Names are unique, so the Lease is that of this process.
        if (isAlreadyExists(error) && (await this.#read(signal))) {
          this.#renewed = first;
          return true;
        }
        log.error(error, "Failed to create the Lease of this member");
      } finally {
        limit.release();
      }
      await sleep(clock, retryPeriod, signal);
    }
    return false;
  }

  /** Renews the Lease. Resolves to `true` when the signal aborts or the Lease is removed, to `false` if the Lease is lost. */
  async keep(signal: AbortSignal): Promise<boolean> {
    const { clock, retryPeriod } = this.#options;
    while (!signal.aborted && !this.#isLost) {
      const pause = linkSignals(signal);
      this.#wake = () => pause.abort();
      await sleep(clock, retryPeriod, pause.signal);
      pause.release();
      if (signal.aborted) return true;
      // After the deadline, a renewal would only delay the others.
      if (this.#isExpired()) this.#isLost = true;
      else await this.renew(signal);
      if (this.#isExpired()) this.#isLost = true;
    }
    return !this.#isLost || this.#isRemoved;
  }

  /** Renews the Lease now, for example because the state has changed. Failures are logged: the next renewal follows soon. */
  renew(signal: AbortSignal): Promise<void> {
    const next = this.#last.then(() => this.#renew(signal));
    this.#last = next;
    return next;
  }

  /** Deletes the Lease, so that no other member waits for its expiry. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.#last;
    const { client, clock, log } = this.#options;
    const lease = this.#lease;
    this.#isLost = true;
    if (!lease) return;
    const limit = timeoutSignal(clock, this.#timeout());
    try {
      await client.delete(lease, { preconditions: { uid: lease.metadata.uid }, signal: limit.signal });
    } catch (error) {
      if (!isNotFound(error)) log.error(error, "Failed to delete the Lease of this member");
    } finally {
      limit.release();
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { client, clock, log, status, renewDeadline } = this.#options;
    for (let attempt = 0; attempt < 3 && this.#lease && !this.#isLost && !signal.aborted; attempt++) {
      const at = clock.now();
      const date = clock.date();
      const remaining = (this.#renewed?.at ?? at) + renewDeadline - at;
      if (remaining <= 0) return;
      const limit = timeoutSignal(clock, Math.max(1, Math.min(this.#timeout(), remaining)), signal);
      try {
        const renewed = renewedLease(this.#lease, status(), date);
        this.#stored(await client.update(renewed, { signal: limit.signal }), at, date);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isNotFound(error)) return this.#lose();
        if (!isConflict(error)) return log.error(error, "Failed to renew the Lease of this member");
        if (!(await this.#read(limit.signal))) return;
      } finally {
        limit.release();
      }
    }
  }

  /** Reads the Lease. Returns whether it was read and is the one that this process has created. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const { client, group, name, log } = this.#options;
    try {
      const lease = await client.get(Lease, { namespace: group.namespace, name: `${group.id}-${name}` }, { signal });
      if (this.#lease && this.#lease.metadata.uid !== lease.metadata.uid) this.#lose();
      else this.#lease = lease;
    } catch (error) {
      if (isNotFound(error)) this.#lose();
      else log.error(error, "Failed to read the Lease of this member");
      return false;
    }
    return !this.#isLost;
  }

  #lose(): void {
    this.#isLost = true;
    this.#wake();
  }

  #isExpired(): boolean {
    const { clock, renewDeadline } = this.#options;
    return !this.#renewed || clock.now() - this.#renewed.at >= renewDeadline;
  }

  #stored(lease: Stored<Lease>, at: number, date: Date): void {
    this.#lease = lease;
    this.#renewed = { at, date: date.getTime() };
    this.#options.onWritten(lease);
  }

  /** Returns the time limit of a request in milliseconds, so that a single one can't use up the time for renewal. */
  #timeout(): number {
    return Math.max(1000, this.#options.renewDeadline / 2);
  }
}
