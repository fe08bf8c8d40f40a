import type { RequestListener } from "node:http";
import type { ClusterOptions } from "../cluster/options.ts";
import type { Config } from "../config/config.ts";
import type { ControllerDefaults } from "../controller/options.ts";
import type { LeaseOptions } from "../leader-election/options.ts";
import type { WebhookServerOptions, WebhookTlsOptions } from "../webhook/options.ts";

/** Where metrics are served, and to whom. */
export interface MetricsOptions {
  /** `:8080` by default; `"0"` switches metrics off. */
  bindAddress?: string;
  /** HTTPS, and only for callers whose token the API server knows and lets read the path. */
  secureServing?: boolean;
  /**
   * Directory of the certificate, read again when it changes. Without one, the server shows the webhooks' self-managed certificate if
   * `webhook.selfManagedCertificates.metricsService` is set, else one of its own, which nobody can check.
   */
  certDir?: string;
  /** `tls.crt` by default. */
  certName?: string;
  /** `tls.key` by default. */
  keyName?: string;
  /** Change the TLS options last. */
  tlsOpts?: readonly ((options: WebhookTlsOptions) => void)[];
  /** What else is served there, by path; protected as the metrics are. */
  extraHandlers?: Readonly<Record<string, RequestListener>>;
  /** Decides who is served, in place of TokenReview and SubjectAccessReview; counts for plain HTTP too. */
  filterProvider?: (listener: RequestListener) => RequestListener;
  /** Adds the series of requests to the API server that cost more than they tell in most operators: durations, sizes, retries. */
  restClientMetrics?: boolean;
}

/** What holds for all controllers of a manager that don't say otherwise. */
export interface ControllerManagerDefaults extends ControllerDefaults {
  /** Reconciles at a time by `Kind.group`. */
  groupKindConcurrency?: Readonly<Record<string, number>>;
}

/** Durations are milliseconds. */
export interface ManagerOptions extends ClusterOptions, LeaseOptions {
  /** Runs controllers only while this process holds a Lease. */
  leaderElection?: boolean;
  /** Name of the Lease; needed for an election. */
  leaderElectionID?: string;
  /** Namespace of the Lease; that of the pod by default. */
  leaderElectionNamespace?: string;
  /** The cluster that the Lease lies in; the manager's own by default. */
  leaderElectionConfig?: Config;
  /** Gives the Lease up at the end, so that the next leader starts at once. The process must end with the manager. */
  leaderElectionReleaseOnCancel?: boolean;
  leaderElectionLabels?: Readonly<Record<string, string>>;
  /** How long everything may take to stop; 30,000 by default, 0 doesn't wait, less waits for ever. */
  gracefulShutdownTimeout?: number;
  /** Where `/healthz` and `/readyz` are served, such as `:8081`; nowhere by default or for `"0"`. */
  healthProbeBindAddress?: string;
  /** `/readyz` by default. */
  readinessEndpointName?: string;
  /** `/healthz` by default. */
  livenessEndpointName?: string;
  /**
   * Where CPU profiles and heap snapshots are served under `/debug/pprof`, such as `:6060`; nowhere by default or for `"0"`. Without
   * a host only this machine can ask: a heap snapshot holds all secrets that the process knows.
   */
  pprofBindAddress?: string;
  metrics?: MetricsOptions;
  /** How webhooks are served, where there are any. */
  webhook?: WebhookServerOptions;
  controller?: ControllerManagerDefaults;
}
