import type { Cluster } from "../cluster/cluster.ts";
import type { HealthChecks } from "../health/health.ts";
import type { Inspection } from "../inspect/inspection.ts";
import type { ManagerMetrics } from "../metrics/metrics.ts";
import type { Server } from "../server/server.ts";
import type { LocalWebhooks } from "../webhook/local/types.ts";
import type { Election } from "./election.ts";
import type { MetricsServer } from "./metrics-server.ts";
import type { ManagerOptions } from "./options.ts";
import type { Sharding } from "./sharding.ts";

/** The parts that `Manager.create` assembles. */
export interface Parts {
  options: ManagerOptions;
  cluster: Cluster;
  healthz: HealthChecks;
  readyz: HealthChecks;
  metrics: ManagerMetrics | undefined;
  metricsServer: MetricsServer | undefined;
  healthServer: Server | undefined;
  pprofServer: Server | undefined;
  election: Election | undefined;
  sharding: Sharding | undefined;
  local: LocalWebhooks | undefined;
  inspection: Inspection | undefined;
}
