import type { Client, Stored } from "../client/client.ts";
import { timeoutSignal } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { isAlreadyExists, isConflict } from "../errors/predicates.ts";
import { Lease } from "../leader-election/lease.ts";
import type { Logger } from "../log/logger.ts";
import type { ShardTable } from "../shards/table.ts";
import type { LeaseObserver } from "./lease-observer.ts";
import { changedTable, type GroupName, type TableContent, tableLease, tableName } from "./shard-leases.ts";

export interface TableWriterOptions {
  client: Client;
  group: GroupName;
  observer: LeaseObserver;
  clock: Clock;
  log: Logger;
  retryPeriod: number;
  /** Returns the time in milliseconds for which this process may write, 0 if it may not. */
  mayWriteFor: () => number;
}

/** Changes the table, always with the resource version of the state that the change is based on. */
export class TableWriter {
  readonly #options: TableWriterOptions;

  constructor(options: TableWriterOptions) {
    this.#options = options;
  }

  /** Creates the table. If another process has created one, that one is observed. */
  async create(content: TableContent, signal: AbortSignal): Promise<void> {
    const { client, group, observer, log } = this.#options;
    const limit = this.#limit(signal);
    try {
      observer.accept(await client.create(tableLease(group, content), { signal: limit.signal }));
    } catch (error) {
      if (!isAlreadyExists(error)) log.error(error, "Failed to create the table of shards");
      else await this.#read(signal);
    } finally {
      limit.release();
    }
  }

  /** Replaces the whole content of the observed table. A conflict causes a read. */
  async replace(content: TableContent, signal: AbortSignal): Promise<void> {
    const { observer, log } = this.#options;
    const lease = observer.table?.lease;
    if (!lease) return;
    try {
      await this.#send(changedTable(lease, content), signal);
    } catch (error) {
      if (!isConflict(error)) log.error(error, "Failed to replace the table of shards");
      await this.#read(signal);
    }
  }

  /**
   * Changes the table until it is known that the change was stored. An update without a response can still be stored later, so
   * the change is sent again in that case, and one of the two fails with a conflict.
   *
   * @param change - returns the changed table; `undefined` if there is nothing to change
   * @returns whether the table has the change; `false` if the signal aborted
   */
  async update(change: (table: ShardTable) => ShardTable | undefined, signal: AbortSignal): Promise<boolean> {
    const { observer, clock, log, retryPeriod, mayWriteFor } = this.#options;
    while (!signal.aborted) {
      const { table } = observer;
      if (!table) return false;
      const ranges = change(table.ranges);
      if (!ranges) return true;
      if (mayWriteFor() > 0) {
        try {
          await this.#send(changedTable(table.lease, { ...table, ranges }), signal);
          return true;
        } catch (error) {
          if (signal.aborted) return false;
          if (!isConflict(error)) {
            log.error(error, "Failed to update the table of shards");
            await sleep(clock, retryPeriod / 2, signal);
          }
        }
        if (await this.#read(signal)) continue;
      }
      await sleep(clock, retryPeriod / 2, signal);
    }
    return false;
  }

  async #send(lease: Stored<Lease>, signal: AbortSignal): Promise<void> {
    const limit = this.#limit(signal);
    try {
      this.#options.observer.accept(await this.#options.client.update(lease, { signal: limit.signal }));
    } finally {
      limit.release();
    }
  }

  async #read(signal: AbortSignal): Promise<boolean> {
    const { client, group, observer, log } = this.#options;
    const limit = this.#limit(signal);
    try {
      const name = { namespace: group.namespace, name: tableName(group.id) };
      observer.accept(await client.get(Lease, name, { signal: limit.signal }));
      return true;
    } catch (error) {
      if (!signal.aborted) log.error(error, "Failed to read the table of shards");
      return false;
    } finally {
      limit.release();
    }
  }

  #limit(signal: AbortSignal): ReturnType<typeof timeoutSignal> {
    return timeoutSignal(this.#options.clock, Math.max(1, Math.ceil(this.#options.mayWriteFor())), signal);
  }
}
