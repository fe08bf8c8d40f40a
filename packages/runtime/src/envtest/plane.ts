import type { Config } from "../config/config.ts";

export type ServerName = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** The cluster of a test environment: servers that it runs, or an existing cluster. */
export interface Plane {
  /** Administrator access with all permissions. For an existing cluster, access with its configuration. */
  readonly admin: Config;
  /** Directory of all files of this environment. Removed when the environment stops. */
  readonly directory: string;
  readonly kubeconfigPath: string;
  /** URL of etcd. */
  readonly etcdUrl: string;
  addUser(name: string, groups: readonly string[]): Promise<Config>;
  startServer(name: ServerName): Promise<void>;
  killServer(name: ServerName): Promise<void>;
  /** Returns the process id of a server that runs in this environment. */
  pid(name: ServerName): number | undefined;
  /** Stops everything that was started; `timeout` is the time in milliseconds until servers are killed. */
  stop(timeout: number): Promise<void>;
}
