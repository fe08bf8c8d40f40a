import type { CacheOptions } from "../cache/options.ts";
import type { Clock } from "../clock/clock.ts";
import type { ControllerDefaults } from "../controller/options.ts";
import type { LeaseDurations } from "../leader-election/options.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import type { WebhookServerOptions } from "../webhook/options.ts";

export interface MetricsOptions {
  /** `:8080` by default; `"0"` switches metrics off. */
  bindAddress?: string;
  /** HTTPS, and only for callers whose token the API server knows and lets read the path. */
  secureServing?: boolean;
  /** Directory of the certificate, read again when it changes; without one the server makes its own, which nobody can check. */
  certDir?: string;
  /** `tls.crt` by default. */
  certName?: string;
  /** `tls.key` by default. */
  keyName?: string;
}

export interface ControllerManagerDefaults extends ControllerDefaults {
  /** Reconciles at a time by `Kind.group`. */
  groupKindConcurrency?: Readonly<Record<string, number>>;
}

/** Durations are milliseconds. */
export interface ManagerOptions extends Partial<LeaseDurations> {
  /** Runs controllers only while this process holds a Lease. */
  leaderElection?: boolean;
  /** Name of the Lease; needed for an election. */
  leaderElectionID?: string;
  /** Namespace of the Lease; that of the pod by default. */
  leaderElectionNamespace?: string;
  /** Gives the Lease up at the end, so that the next leader starts at once. The process must end with the manager. */
  leaderElectionReleaseOnCancel?: boolean;
  leaderElectionLabels?: Readonly<Record<string, string>>;
  /** How long everything may take to stop; 30,000 by default, 0 doesn't wait, less waits for ever. */
  gracefulShutdownTimeout?: number;
  /** Where `/healthz` and `/readyz` are served, such as `:8081`; nowhere by default or for `"0"`. */
  healthProbeBindAddress?: string;
  metrics?: MetricsOptions;
  /** How webhooks are served, where there are any. */
  webhook?: WebhookServerOptions;
  controller?: ControllerManagerDefaults;
  cache?: CacheOptions;
  logger?: Logger;
  /** Time as the manager sees it. */
  clock?: Clock;
  /** How to reach the server, in place of what the configuration says. It isn't closed by the manager. */
  transport?: Transport;
}
