import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { type Random, uuid } from "../clock/random.ts";

const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/** Returns a name for this process that is unique among all candidates. */
export function newIdentity(random?: Random): string {
  return `${hostname()}_${uuid(random)}`;
}

/** Returns the namespace of the Pod, or `undefined` outside of a cluster. */
export function podNamespace(): string | undefined {
  return existsSync(namespaceFile) ? readFileSync(namespaceFile, "utf8").trim() : undefined;
}
