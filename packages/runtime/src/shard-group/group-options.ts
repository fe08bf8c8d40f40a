import type { ConnectionGate } from "../cache/connection-gate.ts";
import type { ListWatch } from "../cache/list-watch.ts";
import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Random } from "../clock/random.ts";
import type { LeaseDurations } from "../leader-election/options.ts";
import type { Logger } from "../log/logger.ts";
import type { ShardingSettings } from "./options.ts";
import type { GroupName } from "./shard-leases.ts";
import type { ShardGroupMetrics, ShardWork } from "./work.ts";

/** Everything that a member of a group needs. */
export interface ShardGroupOptions extends LeaseDurations {
  client: Client;
  /** List and watch of the group's Leases. */
  listWatch: ListWatch;
  gate: ConnectionGate;
  group: GroupName;
  /** Name of this member. */
  name: string;
  /** Identity of this process as a candidate for the leader. */
  identity: string;
  labels?: Readonly<Record<string, string>>;
  settings: ShardingSettings;
  work: ShardWork;
  /** The election of the leader. */
  leader: {
    /** Whether this process is the leader, and its Lease is fresh. */
    isSafe(): boolean;
    /** Returns the identity of the leader, `""` if there is none. */
    holder(): string;
  };
  clock: Clock;
  random: Random;
  log: Logger;
  metrics?: ShardGroupMetrics;
  /** Called after each change of the ranges in which reconciles may start. */
  onChange?: () => void;
}
