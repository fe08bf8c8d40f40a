import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { ConfigError } from "./kubeconfig.ts";
import { reason } from "./read-kubeconfig.ts";
import { safeConfig } from "./safe-config.ts";

/** Where kubelets mount a pod's service account. */
const SERVICE_ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether this process runs in a pod that may speak to its API server. */
export function isInCluster(environment: Environment, directory: string = SERVICE_ACCOUNT_DIRECTORY): boolean {
  return (
    Boolean(environment.KUBERNETES_SERVICE_HOST && environment.KUBERNETES_SERVICE_PORT) &&
    existsSync(join(directory, "token"))
  );
}

/** The configuration of a pod: its service account at the cluster's own API server. Throws `ConfigError` outside of one. */
export function inClusterConfig(
  environment: Environment = process.env,
  directory: string = SERVICE_ACCOUNT_DIRECTORY,
): Config {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) {
    throw new ConfigError("this isn't a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT aren't set");
  }
  const tokenFile = join(directory, "token");
  if (!existsSync(tokenFile)) throw new ConfigError(`the pod has no service account token: ${tokenFile} isn't there`);
  const config: Config = { host: `https://${host.includes(":") ? `[${host}]` : host}:${port}`, tokenFile };
  try {
    config.caFile = join(directory, "ca.crt");
    config.ca = readFileSync(config.caFile, "utf8");
  } catch (error) {
    throw new ConfigError(`the pod's certificate authority can't be read: ${reason(error)}`, { cause: error });
  }
  const namespaceFile = join(directory, "namespace");
  if (existsSync(namespaceFile)) {
    const namespace = readFileSync(namespaceFile, "utf8").trim();
    if (namespace !== "") config.namespace = namespace;
  }
  return safeConfig(config);
}
