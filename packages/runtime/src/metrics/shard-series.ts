import type { Registry } from "prom-client";
import type { ShardCacheMetrics } from "../cache/informer-shards.ts";
import type { ShardGroupMetrics } from "../shard-group/work.ts";
import { byLabels, timings } from "./buffered-series.ts";
import type { Prom } from "./prom.ts";

/** Adds `kubewright_shard_…`: the members of a group of shards, and the moves of their ranges. */
export function shardSeries(prom: Prom, registers: Registry[]): ShardGroupMetrics & ShardCacheMetrics {
  const gauge = (name: string, help: string) => new prom.Gauge({ name: `kubewright_shard_${name}`, help, registers });
  const members = gauge("members", "Current number of members that share the objects.");
  const objects = gauge("objects", "Current number of reconciled objects of this replica.");
  const unowned = gauge("unowned_ranges", "Current number of ranges without a live owner.");
  const moves = new prom.Counter({
    name: "kubewright_shard_moves_total",
    help: "Total number of ranges that this replica has acquired (in) or released (out), per reason: join, leave, dead or balance.",
    labelNames: ["direction", "reason"] as const,
    registers,
  });
  const durations = byLabels(
    ["phase"],
    timings(
      {
        name: "kubewright_shard_move_duration_seconds",
        help: "Length of time in which the last reconciles of a range ended (drain) or its objects were listed (list).",
        registers,
      },
      [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
    ),
  );
  const filtered = new prom.Counter({
    name: "kubewright_shard_filtered_events_total",
    help: "Total number of received objects that belong to other replicas, per kind.",
    labelNames: ["kind"] as const,
    registers,
  });
  const serverSide = new prom.Gauge({
    name: "kubewright_shard_server_side",
    help: "Whether the API server filters the objects of other replicas, per kind: 1 if it does.",
    labelNames: ["kind"] as const,
    registers,
  });
  return {
    members: (count) => members.set(count),
    objects: (count) => objects.set(count),
    unownedRanges: (count) => unowned.set(count),
    moved: (direction, reason) => moves.inc({ direction, reason }),
    took: (phase, seconds) => durations(phase).observe(seconds),
    filtered: (kind) => filtered.inc({ kind }),
    serverSide: (kind, isServerSide) => serverSide.set({ kind }, isServerSide ? 1 : 0),
  };
}
