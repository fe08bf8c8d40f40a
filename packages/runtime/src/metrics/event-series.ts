import type { Registry } from "prom-client";
import type { EventMetrics } from "../cache/event-metrics.ts";
import type { Prom } from "./prom.ts";

/**
 * Adds `kubewright_…`: events and objects that predicates, handlers, transforms and index functions of the user failed
 * to process.
 */
export function eventSeries(prom: Prom, registers: Registry[]): EventMetrics {
  const byKind = ["kind"] as const;
  const failures = new prom.Counter({
    name: "kubewright_event_handler_errors_total",
    help: "Total number of failed calls of predicates, map functions and event handlers, per kind of the event's object.",
    labelNames: byKind,
    registers,
  });
  const dropped = new prom.Counter({
    name: "kubewright_dropped_events_total",
    help: "Total number of events that no handler processed, per kind and reason: error, retries (exhausted) or limit (merged or dropped).",
    labelNames: ["kind", "reason"] as const,
    registers,
  });
  const stalled = new prom.Gauge({
    name: "kubewright_stalled_event_handlers",
    help: "Current number of objects that wait for a retry of their event handler or for a call that takes longer than ten seconds, per kind.",
    labelNames: byKind,
    registers,
  });
  const setAside = new prom.Gauge({
    name: "kubewright_set_aside_objects",
    help: "Current number of objects that the cache lacks, or has in an older state, because their transform fails, per kind.",
    labelNames: byKind,
    registers,
  });
  const indexErrors = new prom.Counter({
    name: "kubewright_index_errors_total",
    help: "Total number of failed calls of index functions, per kind.",
    labelNames: byKind,
    registers,
  });
  return {
    handlerFailed: (kind) => failures.inc({ kind }),
    eventDropped: (kind, reason) => dropped.inc({ kind, reason }),
    handlerStalled: (kind, delta) => stalled.inc({ kind }, delta),
    setAside: (kind, delta) => setAside.inc({ kind }, delta),
    indexFailed: (kind) => indexErrors.inc({ kind }),
  };
}
