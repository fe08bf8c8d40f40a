import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { kubeconfigFor } from "./host/kubeconfig.ts";
import type { Plane } from "./plane.ts";

/** An existing cluster, which is neither started nor stopped. It doesn't support additional users. */
export class ExistingCluster implements Plane {
  readonly admin: Config;
  readonly directory: string;
  readonly kubeconfigPath: string;

  constructor(config: Config) {
    this.admin = config;
    this.directory = mkdtempSync(join(tmpdir(), "kubewright-envtest-"));
    this.kubeconfigPath = join(this.directory, "kubeconfig");
    writeFileSync(this.kubeconfigPath, kubeconfigFor(config), { mode: 0o600 });
  }

  get etcdUrl(): string {
    throw refusal("has no etcd of its own");
  }

  addUser(): Promise<Config> {
    return refuse("can't add users");
  }

  startServer(): Promise<void> {
    return refuse("starts no servers");
  }

  killServer(): Promise<void> {
    return refuse("kills no servers");
  }

  pid(): undefined {
    return undefined;
  }

  stop(): Promise<void> {
    rmSync(this.directory, { recursive: true, force: true });
    return Promise.resolve();
  }
}

function refuse(what: string): Promise<never> {
  return Promise.reject(refusal(what));
}

function refusal(what: string): Error {
  return new Error(`a test environment on an existing cluster ${what} (useExistingCluster)`);
}
