/// <reference path="./prom-client.d.ts" />

import type * as prom from "prom-client";

/** The used exports of `prom-client`. */
export type Prom = Pick<typeof prom.default, "Registry" | "Counter" | "Gauge">;

/**
 * Loads the modules of prom-client separately. Its main entry point also loads a client of push gateways, with HTTPS and
 * compression of Node.js. Loading that took as long as the rest of an operator's start. The classes are identical.
 */
export async function loadProm(): Promise<Prom> {
  const [registry, counter, gauge] = await Promise.all([
    import("prom-client/lib/registry.js"),
    import("prom-client/lib/counter.js"),
    import("prom-client/lib/gauge.js"),
  ]);
  return { Registry: registry.default, Counter: counter.default, Gauge: gauge.default };
}
