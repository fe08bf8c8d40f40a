import type { Client } from "../client/client.ts";
import { createLiveClient } from "../client/live-client.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { newIdentity, podNamespace } from "../leader-election/identity.ts";
import { LeaderElector } from "../leader-election/leader-elector.ts";
import { leaseDurations } from "../leader-election/options.ts";
import type { ManagerMetrics } from "../metrics/metrics.ts";
import { identityOfParent } from "../session/parent-process.ts";
import { shardedLabel } from "../shard-group/shard-leases.ts";
import { UnshardedLeader } from "../shard-group/unsharded-leader.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { ManagerOptions } from "./options.ts";

/** The elector of a manager. */
export interface Election {
  elector: LeaderElector;
  /** Reads and writes Leases. */
  client: Client;
  transport: Transport;
  /** Namespace of the Lease. */
  namespace: string;
  /** Identity of this process. */
  identity: string;
  /**
   * Waits in a new leader without sharding until no replica with sharding owns objects. Resolves to `false` if the signal aborts
   * first.
   *
   * @returns `undefined` if the lease shows that no process with sharding has led
   */
  waitForShards(signal: AbortSignal): Promise<boolean> | undefined;
  /** Closes connections that only the election uses. */
  close(): Promise<void>;
}

/**
 * Creates the elector from the options. Throws if the options contradict each other.
 *
 * @param member - name of this process in a group of shards, which is its default identity
 */
export function newElection(
  cluster: Cluster,
  options: ManagerOptions,
  metrics: ManagerMetrics | undefined,
  member?: string,
): Election {
  const name = options.leaderElectionID;
  if (!name) throw new Error("leaderElectionID must be configured");
  const { clock, logger } = cluster;
  const durations = leaseDurations(options);
  const config = options.leaderElectionConfig ?? cluster.config;
  // As for kubectl, a context of a kubeconfig without a namespace stands for "default".
  const namespace = options.leaderElectionNamespace || podNamespace() || config.namespace || "default";
  metrics?.leader(name, false);
  const own = ownTransport(cluster, options);
  const transport = own ?? cluster.transport;
  const client = createLiveClient({ transport, mapper: own ? createRestMapper(own) : cluster.mapper });
  const labels: Record<string, string> = member === undefined ? {} : { [shardedLabel]: "true" };
  const identity = options.leaderElectionIdentity ?? identityOfParent() ?? member ?? newIdentity(cluster.random);
  const elector = new LeaderElector({
    ...durations,
    client,
    namespace,
    name,
    identity,
    random: cluster.random,
    labels: { ...options.leaderElectionLabels, ...labels },
    clock: clock.background ?? clock,
    log: logger,
    onChange: (isLeader) => metrics?.leader(name, isLeader),
  });
  const waitForShards = (signal: AbortSignal): Promise<boolean> | undefined => {
    if (member !== undefined || !elector.hasLabel(shardedLabel)) return undefined;
    const timing = { ...durations, clock: clock.background ?? clock };
    const leader = new UnshardedLeader({ ...timing, client, group: { namespace, id: name }, identity, log: logger });
    return leader.waitForRelease(signal).then((isReleased) => {
      if (isReleased) elector.removeLabel(shardedLabel);
      return isReleased;
    });
  };
  return { elector, client, transport, namespace, identity, waitForShards, close: async () => own?.close() };
}

/**
 * Returns a separate transport for the election if requests have a client-side rate limit. Renewals must not wait for
 * requests of reconcilers.
 */
function ownTransport({ config, logger }: Cluster, options: ManagerOptions): Transport | undefined {
  const { leaderElectionConfig } = options;
  if (leaderElectionConfig) return createTransport({ ...leaderElectionConfig }, { logger });
  if (options.transport || !config.qps) return undefined;
  return createTransport({ ...config, qps: undefined, burst: undefined }, { logger });
}
