import { readFileSync } from "node:fs";
import type { Config, ExecConfig, ImpersonateConfig } from "./config.ts";
import {
  ConfigError,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigExec,
  type KubeconfigUser,
} from "./kubeconfig.ts";
import { reason } from "./read-kubeconfig.ts";
import { safeConfig } from "./safe-config.ts";

/**
 * Returns the configuration of a kubeconfig context. Reads certificates and keys immediately, and token files on demand.
 * Throws a `ConfigError` for an invalid kubeconfig.
 */
export function configFromKubeconfig(kubeconfig: Kubeconfig, context: string | undefined, where: string): Config {
  const name = context ?? kubeconfig.currentContext;
  if (name === "")
    throw new ConfigError(`${where} has no current-context: select one with "kubectl config use-context"`);
  const chosen = kubeconfig.contexts.get(name);
  if (!chosen) {
    const names = [...kubeconfig.contexts.keys()];
    const hint = names.length > 0 ? `; it has ${names.join(", ")}` : "";
    throw new ConfigError(`${where} has no context "${name}"${hint}`);
  }
  const cluster = kubeconfig.clusters.get(chosen.cluster ?? "");
  if (!cluster)
    throw new ConfigError(
      `${where}: the context "${name}" refers to the cluster "${chosen.cluster ?? ""}", which doesn't exist`,
    );
  const user = chosen.user ? kubeconfig.users.get(chosen.user) : {};
  if (!user)
    throw new ConfigError(`${where}: the context "${name}" refers to the user "${chosen.user}", which doesn't exist`);
  const config = compact({
    ...fromCluster(cluster, chosen.cluster ?? "", where),
    ...fromUser(user, chosen.user ?? "", cluster, where),
    namespace: chosen.namespace || undefined,
  });
  return safeConfig(config);
}

function fromCluster(cluster: KubeconfigCluster, name: string, where: string): Config {
  if (!cluster.server) throw new ConfigError(`${where}: the cluster "${name}" has no server`);
  const insecure = cluster["insecure-skip-tls-verify"] === true;
  const ca = pem(
    cluster["certificate-authority-data"],
    cluster["certificate-authority"],
    `${where}: the certificate-authority of "${name}"`,
  );
  if (insecure && ca) {
    throw new ConfigError(
      `${where}: the cluster "${name}" has both insecure-skip-tls-verify and a certificate-authority`,
    );
  }
  return {
    host: cluster.server,
    ca,
    caFile: fileOf(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    insecureSkipTLSVerify: insecure || undefined,
    tlsServerName: cluster["tls-server-name"] || undefined,
    proxyUrl: cluster["proxy-url"] || undefined,
    disableCompression: cluster["disable-compression"] === true || undefined,
  };
}

function fromUser(user: KubeconfigUser, name: string, cluster: KubeconfigCluster, where: string): Partial<Config> {
  if (user["auth-provider"]) {
    const provider = user["auth-provider"].name ?? "";
    throw new ConfigError(
      `${where}: the user "${name}" has the auth-provider "${provider}", which Kubernetes no longer supports: use its credential plugin (exec)`,
    );
  }
  const cert = pem(
    user["client-certificate-data"],
    user["client-certificate"],
    `${where}: the client-certificate of "${name}"`,
  );
  const key = pem(user["client-key-data"], user["client-key"], `${where}: the client-key of "${name}"`);
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConfigError(
      `${where}: the user "${name}" has ${cert ? "a client-certificate without its key" : "a client-key without its certificate"}`,
    );
  }
  return {
    cert,
    key,
    certFile: fileOf(user["client-certificate-data"], user["client-certificate"]),
    keyFile: fileOf(user["client-key-data"], user["client-key"]),
    token: user.token || undefined,
    tokenFile: user.tokenFile || undefined,
    username: user.username || undefined,
    password: user.password || undefined,
    exec: user.exec && fromExec(user.exec, name, cluster, where),
    impersonate: impersonation(user),
  };
}

function fromExec(exec: KubeconfigExec, user: string, cluster: KubeconfigCluster, where: string): ExecConfig {
  if (!exec.command) throw new ConfigError(`${where}: the exec of user "${user}" has no command`);
  if (!exec.apiVersion) throw new ConfigError(`${where}: the exec of user "${user}" has no apiVersion`);
  const mode = exec.interactiveMode || "IfAvailable";
  if (mode !== "Never" && mode !== "IfAvailable" && mode !== "Always") {
    throw new ConfigError(
      `${where}: the exec of user "${user}" has the interactiveMode "${mode}": it must be Never, IfAvailable or Always`,
    );
  }
  return compact({
    apiVersion: exec.apiVersion,
    command: exec.command,
    args: exec.args ?? undefined,
    env: exec.env ?? undefined,
    interactiveMode: mode,
    provideClusterInfo: exec.provideClusterInfo === true || undefined,
    installHint: exec.installHint || undefined,
    directory: exec.directory,
    cluster: exec.provideClusterInfo ? clusterInfo(cluster, `${where}: the certificate-authority`) : undefined,
  });
}

// Returns the `Cluster` of client.authentication.k8s.io.
function clusterInfo(cluster: KubeconfigCluster, what: string): Record<string, unknown> {
  const ca = pem(cluster["certificate-authority-data"], cluster["certificate-authority"], what);
  const extension = cluster.extensions?.find((entry) => entry.name === "client.authentication.k8s.io/exec");
  return compact({
    server: cluster.server,
    "tls-server-name": cluster["tls-server-name"] || undefined,
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"] || undefined,
    "certificate-authority-data": ca && Buffer.from(ca, "utf8").toString("base64"),
    "proxy-url": cluster["proxy-url"] || undefined,
    "disable-compression": cluster["disable-compression"] || undefined,
    config: extension?.extension,
  });
}

function impersonation(user: KubeconfigUser): ImpersonateConfig | undefined {
  const out: ImpersonateConfig = compact({
    userName: user.as || undefined,
    uid: user["as-uid"] || undefined,
    groups: user["as-groups"],
    extra: user["as-user-extra"],
  });
  return Object.keys(out).length > 0 ? out : undefined;
}

/** Returns the file, unless there is inline data, which takes precedence as in kubectl. */
function fileOf(data: string | undefined, file: string | undefined): string | undefined {
  return data ? undefined : file || undefined;
}

// Returns PEM text. Inline data takes precedence over a file, as in kubectl.
function pem(data: string | undefined, file: string | undefined, what: string): string | undefined {
  if (data) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (!text.includes("-----BEGIN ")) throw new ConfigError(`${what} isn't base64 of PEM text`);
    return text;
  }
  if (!file) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`${what} can't be read: ${reason(error)}`, { cause: error });
  }
}

function compact<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
