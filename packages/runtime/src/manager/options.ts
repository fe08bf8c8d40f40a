import type { RequestListener } from "node:http";
import type { ClusterOptions } from "../cluster/options.ts";
import type { Config } from "../config/config.ts";
import type { ControllerDefaults } from "../controller/options.ts";
import type { WebhookTlsOptions } from "../http/tls.ts";
import type { InspectOptions } from "../inspect/options.ts";
import type { LeaseOptions } from "../leader-election/options.ts";
import type { ShardingOptions } from "../shard-group/options.ts";
import type { WebhookServerOptions } from "../webhook/options/server.ts";

/** Limits of `/metrics`. */
export interface MetricsHandlerOptions {
  /**
   * Maximum number of requests that are answered at the same time. Others receive the status 503.
   *
   * @defaultValue unlimited
   */
  maxRequestsInFlight?: number;
  /**
   * Time in milliseconds after which a request receives the status 503, for example because of a slow metric of your own.
   *
   * @defaultValue unlimited
   */
  timeout?: number;
}

/** Options of the metrics server. */
export interface MetricsOptions {
  /**
   * Address to listen on. `"0"` disables metrics.
   *
   * @defaultValue ":8080"
   */
  bindAddress?: string;
  /**
   * Serves HTTPS, and only callers whose token the API server authenticates and authorizes for the path.
   *
   * @defaultValue false
   */
  secureServing?: boolean;
  /**
   * Directory of the certificate, which is reloaded when it changes. If it is unset, the server uses the webhooks'
   * self-managed certificate if `webhook.selfManagedCertificates.metricsService` is set, else a self-signed
   * certificate, which clients can't verify.
   *
   * @defaultValue a self-managed or self-signed certificate
   */
  certDir?: string;
  /**
   * File name of the certificate in `certDir`.
   *
   * @defaultValue "tls.crt"
   */
  certName?: string;
  /**
   * File name of the private key in `certDir`.
   *
   * @defaultValue "tls.key"
   */
  keyName?: string;
  /**
   * Functions that change the TLS options. They run last.
   *
   * @defaultValue none
   */
  tlsOpts?: readonly ((options: WebhookTlsOptions) => void)[];
  /**
   * Handlers of other paths, which have the same protection as the metrics.
   *
   * @defaultValue none
   */
  extraHandlers?: Readonly<Record<string, RequestListener>>;
  /**
   * Wraps the handler to decide who is served. Replaces TokenReview and SubjectAccessReview, and applies to plain HTTP
   * too.
   *
   * @defaultValue TokenReview and SubjectAccessReview with `secureServing`
   */
  filterProvider?: (listener: RequestListener) => RequestListener;
  /**
   * Limits of `/metrics`.
   *
   * @defaultValue no limits
   */
  handlerOptions?: MetricsHandlerOptions;
  /**
   * Enables additional, more expensive metrics of requests to the API server: duration, size, retries.
   *
   * @defaultValue false
   */
  restClientMetrics?: boolean;
}

/** Defaults for all controllers of a manager. Options of a controller take precedence. */
export interface ControllerManagerDefaults extends ControllerDefaults {
  /**
   * Maximum number of concurrent reconciles by `Kind.group`, such as `Deployment.apps`.
   *
   * @defaultValue none
   */
  groupKindConcurrency?: Readonly<Record<string, number>>;
}

/** Options of {@link Manager.create}. Durations are in milliseconds. */
export interface ManagerOptions extends ClusterOptions, LeaseOptions {
  /**
   * Runs controllers only while this process holds a Lease.
   *
   * @defaultValue false
   */
  leaderElection?: boolean;
  /**
   * Name of the Lease. Required with `leaderElection`.
   *
   * @defaultValue none
   */
  leaderElectionID?: string;
  /**
   * Namespace of the Lease.
   *
   * @defaultValue the namespace of the Pod; outside of a cluster that of the kubeconfig's context, or "default"
   */
  leaderElectionNamespace?: string;
  /**
   * Identity of this process in the Lease, which must be unique among all candidates.
   *
   * @defaultValue the name of the machine and a UUID
   */
  leaderElectionIdentity?: string;
  /**
   * Connection settings of the cluster that contains the Lease.
   *
   * @defaultValue the manager's own cluster
   */
  leaderElectionConfig?: Config;
  /**
   * Releases the Lease at the end, so that the next leader starts without delay. The process must end with the manager.
   *
   * @defaultValue false
   */
  leaderElectionReleaseOnCancel?: boolean;
  /**
   * Labels to set on the Lease.
   *
   * @defaultValue none
   */
  leaderElectionLabels?: Readonly<Record<string, string>>;
  /**
   * Time in milliseconds to wait for runnables to stop. `0` doesn't wait; a negative value waits forever.
   *
   * @defaultValue 30000
   */
  gracefulShutdownTimeout?: number;
  /**
   * Shares the objects among all replicas: each is reconciled by one replica, which holds only its own in the cache. `true`
   * divides them by namespace. It sets `leaderElection` and requires `leaderElectionID`. Turn it on or off while no replica runs.
   *
   * @defaultValue false
   */
  sharding?: boolean | ShardingOptions;
  /**
   * Address that serves `/healthz` and `/readyz`, such as `:8081`. `"0"` disables the probes.
   *
   * @defaultValue "0"
   */
  healthProbeBindAddress?: string;
  /**
   * Path of the readiness check.
   *
   * @defaultValue "/readyz"
   */
  readinessEndpointName?: string;
  /**
   * Path of the liveness check.
   *
   * @defaultValue "/healthz"
   */
  livenessEndpointName?: string;
  /**
   * Address that serves CPU profiles and heap snapshots under `/debug/pprof`, such as `:6060`. `"0"` disables them.
   * Without a host, it listens on the loopback interface only: a heap snapshot contains all secrets in the memory of
   * the process.
   *
   * @defaultValue "0"
   */
  pprofBindAddress?: string;
  /**
   * Records why objects are reconciled and what the reconciles read and write, for `scaffold dev` and for
   * `--inspect-bind-address`. The memory is bounded, and the values of Secrets are masked. Without it, nothing is
   * recorded and nothing is slower.
   *
   * @defaultValue false
   */
  inspect?: boolean | InspectOptions;
  /**
   * Options of the metrics server.
   *
   * @defaultValue plain HTTP on `:8080`
   */
  metrics?: MetricsOptions;
  /**
   * Options of the webhook server, which runs only if a webhook is registered.
   *
   * @defaultValue HTTPS on port 9443
   */
  webhook?: WebhookServerOptions;
  /**
   * Defaults for all controllers.
   *
   * @defaultValue none
   */
  controller?: ControllerManagerDefaults;
}
