/// <reference path="./prom-client.d.ts" />

import type * as prom from "prom-client";

/** What is used of the module `prom-client`, once it is loaded. */
export type Prom = Pick<typeof prom.default, "Registry" | "Counter" | "Gauge">;

/**
 * Loads it, piece by piece: its front door brings a client of push gateways too, and with that Node's HTTPS and compression, which
 * took every operator as long at its start as all of the rest. The classes are the same ones that programs get there.
 */
export async function loadProm(): Promise<Prom> {
  const [registry, counter, gauge] = await Promise.all([
    import("prom-client/lib/registry.js"),
    import("prom-client/lib/counter.js"),
    import("prom-client/lib/gauge.js"),
  ]);
  return { Registry: registry.default, Counter: counter.default, Gauge: gauge.default };
}
