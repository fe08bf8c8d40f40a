import { hostname } from "node:os";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { ShardHost } from "../builder/host.ts";
import type { InformerCache } from "../cache/cache.ts";
import { CacheShards } from "../cache/cache-shards.ts";
import { ConnectionGate } from "../cache/connection-gate.ts";
import type { Informer } from "../cache/informer.ts";
import { createListWatch } from "../cache/list-watch.ts";
import { namespaceHash } from "../cache/shard-keys.ts";
import { storeKey } from "../cache/store.ts";
import type { Reader } from "../client/client.ts";
import type { Random } from "../clock/random.ts";
import { systemRandom } from "../clock/random.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isNotFound } from "../errors/predicates.ts";
import { Lease } from "../leader-election/lease.ts";
import { leaseDurations } from "../leader-election/options.ts";
import type { ManagerMetrics } from "../metrics/metrics.ts";
import type { Request } from "../reconcile/request.ts";
import type { ShardGate, StartedReconcile } from "../reconcile/shard-gate.ts";
import { type ShardingSettings, shardingSettings } from "../shard-group/options.ts";
import { ShardGroup } from "../shard-group/shard-group.ts";
import { groupLabel } from "../shard-group/shard-leases.ts";
import { shardHash } from "../shards/hash.ts";
import { formatHash } from "../shards/ranges.ts";
import type { Election } from "./election.ts";
import type { ManagerOptions } from "./options.ts";

/** A range of hashes, as hexadecimal numbers. */
export interface ShardRange {
  /** The first hash of the range, such as `0x0000000000000000`. */
  start: string;
  /** The first hash after the range. */
  end: string;
}

/** The objects that this process reconciles, if replicas share them. */
export interface Shards {
  /** The ranges of this process: sorted and merged. */
  readonly ranges: readonly ShardRange[];
  /** The names of all members, sorted. */
  readonly members: readonly string[];
  /**
   * Returns whether this process may reconcile an object now.
   *
   * @param object - an object of a reconciled kind, with its metadata
   * @returns `true` for at most one process at a time
   */
  owns(object: KubernetesObject): boolean;
  /**
   * Calls a function after each change of the ranges.
   *
   * @param listener - the function
   * @returns a function that removes the listener
   */
  onChange(listener: () => void): () => void;
}

/** The settings and names that exist before the cluster. */
export interface ShardingPlan {
  settings: ShardingSettings;
  /** Name of this member. */
  name: string;
  cache: CacheShards;
  /** Set when the metrics exist. */
  metrics: ManagerMetrics | undefined;
}

/**
 * Returns the plan of the option `sharding`, or `undefined` without it.
 *
 * @throws Error if an option is invalid
 */
export function shardingPlan(options: ManagerOptions): ShardingPlan | undefined {
  const { sharding, leaderElectionID: id = "", leaderElectionIdentity, random = systemRandom } = options;
  if (!sharding) return undefined;
  if (options.leaderElection === false) throw new Error("sharding requires leaderElection");
  if (!/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(id)) {
    const rule = "must be the value of a label: 1 to 63 letters, digits, dots and dashes";
    throw new Error(`leaderElectionID: ${JSON.stringify(id)} ${rule}, because sharding labels its Leases with it`);
  }
  const settings = shardingSettings(sharding);
  const plan: ShardingPlan = {
    settings,
    name: memberName(random, leaderElectionIdentity),
    cache: new CacheShards({ key: settings.key, metrics: () => plan.metrics?.shards }),
    metrics: undefined,
  };
  return plan;
}

/** Returns the given identity or the name of the machine, and eight random digits, as part of the name of a Lease. */
function memberName(random: Random, identity = hostname()): string {
  const host = identity
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .slice(0, 63);
  const digits = Array.from({ length: 8 }, () => Math.floor(random() * 10)).join("");
  return `${host}-${digits}`;
}

export interface ShardingParts {
  plan: ShardingPlan;
  cluster: Cluster;
  election: Election;
  options: ManagerOptions;
  metrics: ManagerMetrics | undefined;
}

/**
 * The part of a manager that shares the objects with other replicas.
 *
 * @internal
 */
export class Sharding implements Shards, ShardHost {
  readonly key: ShardingSettings["key"];
  readonly group: ShardGroup;
  readonly #cache: InformerCache;
  readonly #reader: Reader;
  readonly #listeners = new Set<() => void>();
  #unansweredAt = Number.NEGATIVE_INFINITY;
  readonly #now: () => number;

  constructor({ plan, cluster, election, options, metrics }: ShardingParts) {
    plan.metrics = metrics;
    const { elector, client, transport, namespace, identity } = election;
    const { settings, name, cache } = plan;
    const id = options.leaderElectionID ?? "";
    const { logger: log, random } = cluster;
    const clock = cluster.clock.background ?? cluster.clock;
    this.key = settings.key;
    this.#cache = cluster.cache;
    this.#reader = cluster.apiReader;
    this.#now = () => clock.now();
    this.group = new ShardGroup({
      ...leaseDurations(options),
      client,
      listWatch: createListWatch({
        transport,
        mapping: async () => ({ plural: "leases", namespaced: true }),
        kind: Lease,
        scope: { namespace, labels: `${groupLabel}=${id}` },
      }),
      gate: new ConnectionGate({
        clock,
        probe: (signal) => transport.request({ method: "GET", path: "/version", signal, maxRetries: 0 }),
      }),
      group: { namespace, id },
      name,
      identity,
      labels: options.leaderElectionLabels,
      settings,
      work: {
        count: (ranges, signal) => cache.count(ranges, signal),
        counted: () => cache.counted(),
        acquire: (ranges, signal) => cache.acquire(ranges, signal),
        release: (ranges) => cache.release(ranges),
        lastUnansweredWrite: () => this.#unansweredAt,
      },
      leader: { isSafe: () => elector.isSafe, holder: () => elector.holder },
      clock,
      random,
      log,
      metrics: metrics?.shards,
      onChange: () => {
        for (const listener of this.#listeners) listener();
      },
    });
  }

  get ranges(): readonly ShardRange[] {
    return this.group.ranges.map(({ start, end }) => ({ start: formatHash(start), end: formatHash(end) }));
  }

  get members(): readonly string[] {
    return this.group.members;
  }

  owns({ metadata = {} }: KubernetesObject): boolean {
    const { namespace, uid } = metadata;
    if (this.key === "namespace" && namespace) return this.group.mayStart(namespaceHash(namespace));
    return uid !== undefined && this.group.mayStart(shardHash(uid));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Records a write that ended without a response. */
  unanswered(): void {
    this.#unansweredAt = this.#now();
  }

  /** @throws Error unless this process has joined and its Lease is fresh */
  checkReady(): void {
    if (!this.group.hasJoined)
      throw new Error("this process hasn't joined the group of shards, or its Lease isn't fresh");
  }

  gate(kind: Kind, informer: Informer<KubernetesObject>): ShardGate<Request> {
    const { group } = this;
    const hashOf = ({ namespace, name }: Request): bigint | undefined => {
      const value = informer.shards?.reconciled;
      if (value === "namespace") return namespaceHash(namespace);
      const { uid } = informer.store.get(storeKey(namespace, name))?.metadata ?? {};
      return uid === undefined ? undefined : shardHash(uid);
    };
    const begin = (hash: bigint, signal: AbortSignal): StartedReconcile | "later" | "other" => {
      if (group.mayStart(hash)) return group.begin(hash, signal);
      return group.keeps(hash) ? "later" : "other";
    };
    return {
      admits: (request) => {
        const hash = hashOf(request);
        return hash === undefined || group.keeps(hash);
      },
      begin: (request, signal) => {
        const hash = hashOf(request);
        return hash === undefined ? this.#beginUnseen(kind, request, signal, begin) : begin(hash, signal);
      },
    };
  }

  /** Starts the reconcile of an object that the cache lacks: it was deleted, or another replica owns it. */
  async #beginUnseen(
    kind: Kind,
    { namespace, name }: Request,
    signal: AbortSignal,
    begin: (hash: bigint, signal: AbortSignal) => StartedReconcile | "later" | "other",
  ): Promise<StartedReconcile | "later" | "other"> {
    try {
      const { metadata } = await this.#reader.get(kind, { namespace, name }, { metadataOnly: true, signal });
      return begin(shardHash(metadata.uid), signal);
    } catch (error) {
      if (!isNotFound(error)) return "later";
      return this.#cache.hasSynced ? { signal, end() {} } : "later";
    }
  }
}
