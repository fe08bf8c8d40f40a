import type { Engine } from "@kubewright/dashboard/protocol";
import type { Config } from "../client/packages.ts";

/** The cluster of a session. */
export interface DevCluster {
  readonly engine: Engine;
  readonly config: Config;
  /** The text of a kubeconfig for it. */
  readonly kubeconfig: string;
  /** Time travel; only with the embedded engine. */
  readonly travel?: { revision(): number; restore(revision: number): void };
  /**
   * Stores the objects again if their file was removed. Absent if the session doesn't store them.
   *
   * @returns whether that was necessary
   * @throws Error if they can't be stored
   */
  saveAgain?(): boolean;
  stop(): Promise<void>;
}
