import type { Config } from "../packages.ts";
import type { Engine } from "../protocol.ts";

/** The cluster of a session. */
export interface DevCluster {
  readonly engine: Engine;
  readonly config: Config;
  /** The text of a kubeconfig for it. */
  readonly kubeconfig: string;
  /** Time travel; only with the embedded engine. */
  readonly travel?: { revision(): number; restore(revision: number): void };
  stop(): Promise<void>;
}
