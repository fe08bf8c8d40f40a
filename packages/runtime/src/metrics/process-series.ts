/// <reference path="./prom-client.d.ts" />

import type { Registry } from "prom-client";
import { eventLoopLag } from "./event-loop-lag.ts";
import type { Prom } from "./prom.ts";

/**
 * Adds `process_…` and `nodejs_…` with prom-client's names and code: everything in its `collectDefaultMetrics`. CPU
 * time is counted here, since prom-client's code for it requires OpenTelemetry's API for exemplars, a tenth of an
 * operator's bundle. Resolves after the first measurement of the event loop, whose delay is NaN before.
 */
export async function processSeries(prom: Prom, register: Registry): Promise<void> {
  const parts = await Promise.all([
    import("prom-client/lib/metrics/processStartTime.js"),
    import("prom-client/lib/metrics/osMemoryHeap.js"),
    import("prom-client/lib/metrics/processOpenFileDescriptors.js"),
    import("prom-client/lib/metrics/processMaxFileDescriptors.js"),
    import("prom-client/lib/metrics/processResources.js"),
    import("prom-client/lib/metrics/processHandles.js"),
    import("prom-client/lib/metrics/processRequests.js"),
    import("prom-client/lib/metrics/heapSizeAndUsed.js"),
    import("prom-client/lib/metrics/heapSpacesSizeAndUsed.js"),
    import("prom-client/lib/metrics/version.js"),
    import("prom-client/lib/metrics/gc.js"),
  ]);
  for (const { default: collect } of parts) collect(register, {});
  cpuSeconds(prom, register);
  await eventLoopLag(prom, register);
}

function cpuSeconds(prom: Prom, register: Registry): void {
  const counter = (kind: string, help: string, microseconds: (usage: NodeJS.CpuUsage) => number): void => {
    new prom.Counter({
      name: `process_cpu_${kind}seconds_total`,
      help,
      registers: [register],
      collect() {
        this.reset();
        this.inc(microseconds(process.cpuUsage()) / 1e6);
      },
    });
  };
  counter("user_", "Total user CPU time spent in seconds.", ({ user }) => user);
  counter("system_", "Total system CPU time spent in seconds.", ({ system }) => system);
  counter("", "Total user and system CPU time spent in seconds.", ({ user, system }) => user + system);
}
