/** A program that hands out credentials: `users[].user.exec` of a kubeconfig. */
export interface ExecConfig {
  apiVersion: string;
  /** Absolute, relative to `directory` when it holds a slash, else looked up on PATH. */
  command: string;
  args?: readonly string[];
  /** Added to the environment of this process. */
  env?: readonly { name: string; value: string }[];
  interactiveMode?: "Never" | "IfAvailable" | "Always";
  provideClusterInfo?: boolean;
  /** Shown when the program isn't there. */
  installHint?: string;
  /** Directory that a relative command starts at: the kubeconfig's. */
  directory?: string;
  /** Cluster details for the program, handed over when `provideClusterInfo` is set. */
  cluster?: Readonly<Record<string, unknown>>;
}

/** Whom requests pretend to come from. */
export interface ImpersonateConfig {
  userName?: string;
  uid?: string;
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** How to reach an API server, and as whom. Plain data: can be copied and changed. */
export interface Config {
  /** URL of the server, with a path where a proxy wants one. */
  host: string;
  /** PEM text of the authorities to trust in place of the system's. */
  ca?: string;
  /** PEM text of the client certificate. */
  cert?: string;
  /** PEM text of the client certificate's key. */
  key?: string;
  /** File of `ca`, read again every minute and after a failed connection. Its content wins over `ca`. */
  caFile?: string;
  /** File of `cert`, read again like `caFile`. It goes with `keyFile`. */
  certFile?: string;
  /** File of `key`, read again like `caFile`. */
  keyFile?: string;
  token?: string;
  /** Read again when it changes; wins over `token`. */
  tokenFile?: string;
  username?: string;
  password?: string;
  exec?: ExecConfig;
  impersonate?: ImpersonateConfig;
  insecureSkipTLSVerify?: boolean;
  /** Name that the server's certificate is checked against, in place of the host's. */
  tlsServerName?: string;
  /** `http:`, `https:` or `socks5:` URL. Without it HTTPS_PROXY, HTTP_PROXY and NO_PROXY count. */
  proxyUrl?: string;
  /** Namespace of the context. */
  namespace?: string;
  /** Requests per second that this side allows itself; no limit by default. */
  qps?: number;
  /** Requests that may come at once before `qps` counts; the next whole number above `qps` by default. */
  burst?: number;
  userAgent?: string;
  /**
   * Bytes that the body of one answer may have: a larger one, such as a list of very many objects, is an error. Watch events have their
   * own limit, 32 MiB each.
   *
   * @defaultValue 268,435,456 (256 MiB)
   */
  maxResponseBytes?: number;
}
