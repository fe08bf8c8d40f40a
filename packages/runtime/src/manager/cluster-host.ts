import type { ClusterHost } from "../cluster/cluster.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Parts } from "./parts.ts";

/** Connects the clusters of a manager to its election, shards, metrics and tracer. */
export function clusterHost({ election, sharding, metrics }: Parts, tracer: () => Tracer | undefined): ClusterHost {
  return {
    // A process that may have lost its lease must not write.
    mayWrite: () => (election?.elector.mayAct ?? true) && sharding?.group.mayWrite !== false,
    unanswered: () => sharding?.unanswered(),
    observe: (exchange) => metrics?.exchange(exchange),
    details: () => metrics?.requestDetails,
    tracer,
    eventMetrics: () => metrics?.events,
    readMetrics: () => metrics?.reads,
  };
}
