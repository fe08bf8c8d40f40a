import type { KubeClient } from "../client/kube-client.ts";
import type { DevCluster } from "../cluster/cluster.ts";
import type { SessionWebhooks } from "../manager/session-webhooks.ts";
import type { ManagerSupervisor } from "../manager/supervisor.ts";
import type { SessionPaths } from "../setup/files.ts";
import type { DevOptions } from "../setup/options.ts";
import type { Records } from "../store/records.ts";
import type { SessionEvents } from "../store/session-events.ts";
import type { OpenErrors } from "./errors.ts";
import type { PodFaults } from "./pod-faults.ts";

/** The parts of a session whose cluster runs. */
export interface RunningSession {
  readonly options: Pick<DevOptions, "root" | "engine" | "project">;
  readonly paths: SessionPaths;
  /** The time of its start, in ISO 8601. */
  readonly startedAt: string;
  readonly cluster: DevCluster;
  readonly client: KubeClient;
  readonly events: SessionEvents;
  readonly records: Records;
  readonly errors: OpenErrors;
  readonly supervisor: ManagerSupervisor;
  readonly webhooks: SessionWebhooks;
  readonly podFaults: PodFaults;
  /** Ends when the session ends. */
  readonly signal: AbortSignal;
  /** Restarts the manager with the code of the last good build. */
  readonly restart: () => void;
  /** Returns the leases that the session holds in place of an operator. */
  readonly takenOver: () => readonly string[];
}
