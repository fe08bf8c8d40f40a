import type { DevEvent } from "@kubewright/dashboard/protocol";
import type { Cache } from "../../generate/cache/index.ts";
import type { GenerateRequest } from "../../generate/run/request.ts";
import type { Project } from "../../project/project-file.ts";

/** The input of a session. */
export interface DevOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags for the manager. */
  readonly args: readonly string[];
  readonly engine: "embedded" | "binaries" | "cluster";
  /** The minor version of Kubernetes that the server has; undefined for the newest. */
  readonly kubernetesVersion?: string;
  /** Whether to start without the objects of the last session. */
  readonly reset: boolean;
  /** Whether to apply the samples to an empty cluster. */
  readonly samples: boolean;
  /** Whether to take over the lease of an operator in the cluster. */
  readonly takeover: boolean;
  /** URL at which the cluster reaches this machine's webhooks; unset for `https://127.0.0.1:PORT`. */
  readonly webhookUrl?: string;
  /** Ends the session. */
  readonly signal: AbortSignal;
  /** Reads the options of `make manifests`. */
  readonly request: () => Promise<GenerateRequest>;
  /** Keeps the output of the generators for the next session; unset without `node_modules`. */
  readonly cache?: Cache | undefined;
  /** Returns whether to use a cluster that isn't on this machine. */
  readonly confirm: (context: string, server: string) => Promise<boolean>;
  /** Receives all events of the loop. */
  readonly onEvent: (event: DevEvent) => void;
  /**
   * Called after the errors of a change that can't run.
   *
   * @param pid - the process of the old manager, which continues to run; unset if there is none
   */
  readonly onFailedBuild: (pid: number | undefined) => void;
  /** Receives the lines of the manager. */
  readonly onLine: (line: string) => void;
}

/** The server of the dashboard and of the subcommands. */
export interface SessionServer {
  readonly url: string;
  /** @param reason - why the session ends */
  close(reason: string): Promise<void>;
}
