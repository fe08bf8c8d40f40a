// prom-client's types declare only its main entry point.

declare module "prom-client/lib/registry.js" {
  import { Registry } from "prom-client";
  export default Registry;
}

declare module "prom-client/lib/counter.js" {
  import { Counter } from "prom-client";
  export default Counter;
}

declare module "prom-client/lib/gauge.js" {
  import { Gauge } from "prom-client";
  export default Gauge;
}

declare module "prom-client/lib/histogram.js" {
  import { Histogram } from "prom-client";
  export default Histogram;
}

declare module "prom-client/lib/summary.js" {
  import { Summary } from "prom-client";
  export default Summary;
}

declare module "prom-client/lib/metrics/*.js" {
  import type { DefaultMetricsCollectorConfiguration, Registry, RegistryContentType } from "prom-client";

  /** Adds series to a registry. */
  const collect: (registry: Registry, config: DefaultMetricsCollectorConfiguration<RegistryContentType>) => void;
  export default collect;
}
