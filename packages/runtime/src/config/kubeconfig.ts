/** A kubeconfig with the key names of its files. Paths are absolute. */
export interface Kubeconfig {
  clusters: ReadonlyMap<string, KubeconfigCluster>;
  users: ReadonlyMap<string, KubeconfigUser>;
  contexts: ReadonlyMap<string, KubeconfigContext>;
  currentContext: string;
}

export interface KubeconfigCluster {
  server?: string;
  "certificate-authority"?: string;
  "certificate-authority-data"?: string;
  "insecure-skip-tls-verify"?: boolean;
  "tls-server-name"?: string;
  "proxy-url"?: string;
  "disable-compression"?: boolean;
  extensions?: readonly { name: string; extension: unknown }[];
}

export interface KubeconfigUser {
  "client-certificate"?: string;
  "client-certificate-data"?: string;
  "client-key"?: string;
  "client-key-data"?: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  as?: string;
  "as-uid"?: string;
  "as-groups"?: readonly string[];
  "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  exec?: KubeconfigExec;
  "auth-provider"?: { name?: string };
}

export interface KubeconfigExec {
  apiVersion?: string;
  command?: string;
  args?: readonly string[] | null;
  env?: readonly { name: string; value: string }[] | null;
  installHint?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: string;
  /** Directory for relative commands: that of the kubeconfig file. */
  directory?: string;
}

export interface KubeconfigContext {
  cluster?: string;
  user?: string;
  namespace?: string;
}

/** Reports a configuration that can't be used. The message is one line with the place and the reason. */
export class ConfigError extends Error {
  /** Always `ConfigError`. */
  override readonly name: string = "ConfigError";
}
