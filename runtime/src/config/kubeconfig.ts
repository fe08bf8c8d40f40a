/** A kubeconfig as it stands in files, under its own key names; paths are absolute already. */
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
  /** Where a relative command starts: the directory of the file that it stands in. */
  directory?: string;
}

export interface KubeconfigContext {
  cluster?: string;
  user?: string;
  namespace?: string;
}

/** A configuration that can't be used; the message is one line that says where and why. */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
}
