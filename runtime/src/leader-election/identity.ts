import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";

const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/** Returns a name for this process that is unique among all candidates. */
export function newIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}

/** Returns the namespace of the Pod, or `undefined` outside of a cluster. */
export function podNamespace(): string | undefined {
  return existsSync(namespaceFile) ? readFileSync(namespaceFile, "utf8").trim() : undefined;
}
