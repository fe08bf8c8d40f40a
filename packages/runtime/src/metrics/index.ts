// Classes for custom metrics: `import { Counter } from "@kubewright/runtime/metrics"`. This separate entry point keeps
// programs without metrics from loading them. Each is imported from its own file of prom-client, as in prom.ts.
/// <reference path="./prom-client.d.ts" />

import type * as prom from "prom-client";
import counter from "prom-client/lib/counter.js";
import gauge from "prom-client/lib/gauge.js";
import histogram from "prom-client/lib/histogram.js";
import registry from "prom-client/lib/registry.js";
import summary from "prom-client/lib/summary.js";

/** A number that only grows. `L` is the union of its label names. */
export type Counter<L extends string = string> = prom.Counter<L>;
/**
 * Creates a number that only grows.
 *
 * @example
 * const registers = mgr.metrics ? [mgr.metrics.registry] : [];
 * const games = new Counter({ name: "games_created_total", help: "Total number of created games.", registers });
 * games.inc();
 */
export const Counter: typeof prom.Counter = counter;

/** A number that can grow and shrink. `L` is the union of its label names. */
export type Gauge<L extends string = string> = prom.Gauge<L>;
/** Creates a number that can grow and shrink. */
export const Gauge: typeof prom.Gauge = gauge;

/** Counts observed values in buckets. `L` is the union of its label names. */
export type Histogram<L extends string = string> = prom.Histogram<L>;
/** Creates a histogram: counts of observed values in buckets. */
export const Histogram: typeof prom.Histogram = histogram;

/** Computes quantiles of observed values. `L` is the union of its label names. */
export type Summary<L extends string = string> = prom.Summary<L>;
/** Creates a summary: quantiles of observed values. */
export const Summary: typeof prom.Summary = summary;

/** A set of metrics that is served together, such as `mgr.metrics.registry`. */
export type Registry = prom.Registry;
/** Creates a separate set of metrics. */
export const Registry: typeof prom.Registry = registry;
