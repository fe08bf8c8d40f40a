import type { Config } from "../config/config.ts";

export type ServerName = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** The cluster that a test environment stands on: servers of its own, or one that is there already. */
export interface Plane {
  /** Access with all rights; in a cluster that is there, with those that its configuration gives. */
  readonly admin: Config;
  /** Holds all files of this environment; it goes when the environment stops. */
  readonly directory: string;
  readonly kubeconfigPath: string;
  /** Where etcd listens. */
  readonly etcdUrl: string;
  addUser(name: string, groups: readonly string[]): Promise<Config>;
  startServer(name: ServerName): Promise<void>;
  killServer(name: ServerName): Promise<void>;
  /** Process id of a server while it runs here. */
  pid(name: ServerName): number | undefined;
  /** Gives up all that was started; `timeout` in milliseconds, for servers that don't end by themselves. */
  stop(timeout: number): Promise<void>;
}
