import type { Client, Stored } from "../client/client.ts";
import { type LinkedSignal, timeoutSignal } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { type Random, systemRandom } from "../clock/random.ts";
import { isConflict, isNotFound } from "../errors/predicates.ts";
import { semanticEqual } from "../json/equal.ts";
import type { Logger } from "../log/logger.ts";
import { Lease, microTime } from "./lease.ts";
import { jitterFactor, type LeaseDurations } from "./options.ts";

export interface LeaderElectorOptions extends LeaseDurations {
  /** Reads from and writes to the API server directly. */
  client: Client;
  namespace: string;
  name: string;
  /** Identity of this process, which must be unique among all candidates. */
  identity: string;
  labels?: Readonly<Record<string, string>>;
  clock: Clock;
  log: Logger;
  random?: Random;
  /** Called when the lease is won, and when it is lost or released. */
  onChange?: (isLeader: boolean) => void;
}

/** Competes for a Lease and renews it. */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  /** The last observed lease, and the time at which this process saw it change. Clocks of other machines aren't compared. */
  #observed: Stored<Lease> | undefined;
  #observedAt = Number.NEGATIVE_INFINITY;
  #renewedAt: number | undefined;
  #wasElected = false;
  readonly #removedLabels = new Set<string>();
  #reportedHolder: string | undefined;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
  }

  /** Whether this process was elected and hasn't released the lease. */
  get isLeader(): boolean {
    return this.#renewedAt !== undefined;
  }

  /** Whether this process may act: it was never elected and so does no leader work, or its lease is safe. */
  get mayAct(): boolean {
    return !this.#wasElected || this.isSafe;
  }

  /** Whether the last renewal is so recent that no other process can assume leadership. */
  get isSafe(): boolean {
    return this.#renewedAt !== undefined && this.#options.clock.now() - this.#renewedAt < this.#options.renewDeadline;
  }

  /** The identity of the leader, as last seen; `""` if there is none, or if its lease has expired. */
  get holder(): string {
    const lease = this.#observed;
    const holder = lease?.spec?.holderIdentity ?? "";
    return !lease || (holder !== this.#options.identity && this.#hasExpired(lease)) ? "" : holder;
  }

  /** Returns whether the lease, as last seen, has a label. */
  hasLabel(name: string): boolean {
    return this.#observed?.metadata.labels?.[name] !== undefined;
  }

  /** Removes a label of the lease with the next renewal. */
  removeLabel(name: string): void {
    this.#removedLabels.add(name);
  }

  /** Waits for the lease. Resolves to `true` when it is won, to `false` if the signal aborts first. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    const { clock, log, namespace, name, retryPeriod, random = systemRandom } = this.#options;
    log.info("Attempting to acquire leader lease...", { lock: `${namespace}/${name}` });
    while (!signal.aborted) {
      const won = await this.#attempt(signal);
      if (signal.aborted) break;
      if (won) {
        log.info("Successfully acquired lease", { lock: `${namespace}/${name}` });
        this.#options.onChange?.(true);
        return true;
      }
      await sleep(clock, retryPeriod * (1 + random() * jitterFactor), signal);
    }
    return false;
  }

  /** Renews the lease. Resolves to `true` when the signal aborts, to `false` if the lease is lost. */
  async keep(signal: AbortSignal): Promise<boolean> {
    const { clock, retryPeriod, renewDeadline } = this.#options;
    while (!signal.aborted) {
      await sleep(clock, retryPeriod, signal);
      if (signal.aborted) return true;
      // After the deadline, for example if the process was suspended, a renewal would only delay the next leader.
      if (this.isSafe) await this.#attempt(signal, this.#renewedAt! + renewDeadline);
      if (!this.isSafe || !this.#isHeld()) {
        this.#renewedAt = undefined;
        this.#options.onChange?.(false);
        return false;
      }
    }
    return true;
  }

  /**
   * Releases the lease, so that the next leader doesn't wait for its expiry. Call it only after all work of the leader has
   * ended.
   */
  async release(): Promise<void> {
    if (!this.isLeader) return;
    this.#renewedAt = undefined;
    this.#options.onChange?.(false);
    const { clock, log, identity } = this.#options;
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        const lease = await this.#read();
        if (lease?.spec?.holderIdentity !== identity) return;
        const time = microTime(clock.date());
        const transitions = lease.spec.leaseTransitions ?? 0;
        const spec = {
          holderIdentity: "",
          leaseDurationSeconds: 1,
          renewTime: time,
          acquireTime: time,
          leaseTransitions: transitions,
        };
        const timeout = this.#timeout();
        await this.#options.client.update({ ...lease, spec }, { signal: timeout.signal }).finally(timeout.release);
        return;
      } catch (error) {
        if (!isConflict(error)) {
          log.error(error, "Failed to release lock");
          return;
        }
      }
    }
  }

  /** Tries once to acquire or renew the lease. Failures are logged, since the next attempt follows soon. */
  async #attempt(signal: AbortSignal, deadline?: number): Promise<boolean> {
    const { clock, log } = this.#options;
    const started = clock.now();
    const limit = this.#timeout(deadline === undefined ? undefined : deadline - started, signal);
    try {
      const won = await this.#tryHold(limit.signal);
      if (won) {
        this.#renewedAt = started;
        this.#wasElected = true;
      }
      return won;
    } catch (error) {
      if (!signal.aborted) log.error(error, "error retrieving resource lock");
      return false;
    } finally {
      limit.release();
    }
  }

  async #tryHold(signal: AbortSignal): Promise<boolean> {
    const { client, identity } = this.#options;
    const request = { signal };
    // The leader's own record is most likely current: this saves a read.
    if (this.#isHeld() && this.isLeader && this.#observed) {
      try {
        this.#observe(await client.update(this.#renewed(this.#observed), request));
        return true;
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const lease = await this.#read(signal);
    if (!lease) {
      this.#observe(await client.create(this.#fresh(), request));
      return true;
    }
    this.#observe(lease);
    const holder = lease.spec?.holderIdentity ?? "";
    // Another holder may have acted in the meantime, so the leader stops, even if it could acquire the lease again.
    if (this.isLeader && holder !== identity) return false;
    if (holder !== "" && holder !== identity && !this.#hasExpired(lease)) {
      this.#reportHolder(holder);
      return false;
    }
    this.#observe(await client.update(this.#renewed(lease), request));
    return true;
  }

  #isHeld(): boolean {
    return this.#observed?.spec?.holderIdentity === this.#options.identity;
  }

  #hasExpired(lease: Lease): boolean {
    const duration = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return this.#observedAt + duration < this.#options.clock.now();
  }

  #observe(lease: Stored<Lease>): void {
    if (!semanticEqual(this.#observed?.spec, lease.spec)) this.#observedAt = this.#options.clock.now();
    this.#observed = lease;
  }

  #reportHolder(holder: string): void {
    if (holder === this.#reportedHolder) return;
    this.#reportedHolder = holder;
    this.#options.log.info("lock is held by another process and has not yet expired", { holder });
  }

  async #read(signal?: AbortSignal): Promise<Stored<Lease> | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      return await client.get(Lease, { namespace, name }, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #fresh(): Lease {
    const { namespace, name, labels } = this.#options;
    const metadata = { namespace, name, ...(labels ? { labels: { ...labels } } : {}) };
    return { apiVersion: Lease.apiVersion, kind: Lease.kind, metadata, spec: this.#spec(undefined) };
  }

  #renewed(lease: Stored<Lease>): Stored<Lease> {
    const all = Object.entries({ ...lease.metadata.labels, ...this.#options.labels });
    const labels = Object.fromEntries(all.filter(([name]) => !this.#removedLabels.has(name)));
    const changed = all.length > 0 ? { labels } : {};
    return { ...lease, metadata: { ...lease.metadata, ...changed }, spec: this.#spec(lease) };
  }

  #spec(lease: Lease | undefined): NonNullable<Lease["spec"]> {
    const { identity, leaseDuration, clock } = this.#options;
    const now = microTime(clock.date());
    const transitions = lease?.spec?.leaseTransitions ?? 0;
    const isMine = lease?.spec?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
      acquireTime: isMine ? lease?.spec?.acquireTime : now,
      renewTime: now,
      leaseTransitions: isMine || !lease ? transitions : transitions + 1,
    };
  }

  /** Returns the timeout of a request, so that a single request can't use up the time for renewal. */
  #timeout(milliseconds = Number.POSITIVE_INFINITY, ...sources: readonly AbortSignal[]): LinkedSignal {
    const limit = Math.max(1000, this.#options.renewDeadline / 2);
    return timeoutSignal(this.#options.clock, Math.max(1, Math.ceil(Math.min(limit, milliseconds))), ...sources);
  }
}
