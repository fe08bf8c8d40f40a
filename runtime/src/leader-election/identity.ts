import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";

const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/** Returns a name for this process that is unique among all candidates. */
export function newIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}

/** Returns the namespace of the Pod. Throws an `Error` outside of a cluster. */
export function inClusterNamespace(): string {
  if (existsSync(namespaceFile)) return readFileSync(namespaceFile, "utf8").trim();
  throw new Error("unable to find leader election namespace: not running in-cluster, set leaderElectionNamespace");
}
