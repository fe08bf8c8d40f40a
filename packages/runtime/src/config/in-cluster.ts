import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { ConfigError } from "./kubeconfig.ts";
import { reason } from "./read-kubeconfig.ts";
import { safeConfig } from "./safe-config.ts";

/** Directory where kubelets mount the service account of a Pod. */
const SERVICE_ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Checks whether this process runs in a Pod with a service account token. */
export function isInCluster(
  environment: Readonly<Record<string, string | undefined>>,
  directory: string = SERVICE_ACCOUNT_DIRECTORY,
): boolean {
  return (
    Boolean(environment.KUBERNETES_SERVICE_HOST && environment.KUBERNETES_SERVICE_PORT) &&
    existsSync(join(directory, "token"))
  );
}

/**
 * Returns the configuration of a Pod: its service account and the cluster's API server.
 *
 * @param environment - variables that replace those of the process, for tests
 * @param directory - directory of the mounted service account
 * @returns the configuration
 * @throws ConfigError if this process doesn't run in a Pod, or if its service account can't be read
 */
export function inClusterConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  directory: string = SERVICE_ACCOUNT_DIRECTORY,
): Config {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) {
    throw new ConfigError(
      "this process doesn't run in a Pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT aren't set",
    );
  }
  const tokenFile = join(directory, "token");
  if (!existsSync(tokenFile)) throw new ConfigError(`the Pod has no service account token: ${tokenFile} doesn't exist`);
  const config: Config = { host: `https://${host.includes(":") ? `[${host}]` : host}:${port}`, tokenFile };
  try {
    config.caFile = join(directory, "ca.crt");
    config.ca = readFileSync(config.caFile, "utf8");
  } catch (error) {
    throw new ConfigError(`the Pod's certificate authority can't be read: ${reason(error)}`, { cause: error });
  }
  const namespaceFile = join(directory, "namespace");
  if (existsSync(namespaceFile)) {
    const namespace = readFileSync(namespaceFile, "utf8").trim();
    if (namespace !== "") config.namespace = namespace;
  }
  return safeConfig(config);
}
