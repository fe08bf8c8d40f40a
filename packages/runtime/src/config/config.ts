/** A program that returns credentials, from `users[].user.exec` of a kubeconfig. */
export interface ExecConfig {
  /** API version of the exchange, such as `client.authentication.k8s.io/v1`. */
  apiVersion: string;
  /** The program: an absolute path, a path relative to `directory` if it contains a slash, else a name on PATH. */
  command: string;
  /** Arguments of the program. */
  args?: readonly string[];
  /** Variables that are added to the environment of this process. */
  env?: readonly { name: string; value: string }[];
  /** Whether the program may use standard input. */
  interactiveMode?: "Never" | "IfAvailable" | "Always";
  /** Whether the program receives `cluster`. */
  provideClusterInfo?: boolean;
  /** Printed if the program isn't found. */
  installHint?: string;
  /** Directory for relative commands: that of the kubeconfig. */
  directory?: string;
  /** Cluster details for the program, if `provideClusterInfo` is set. */
  cluster?: Readonly<Record<string, unknown>>;
}

/** The user that requests impersonate. */
export interface ImpersonateConfig {
  /** User name. */
  userName?: string;
  /** User ID. */
  uid?: string;
  /** Groups of the user. */
  groups?: readonly string[];
  /** Additional fields, by name. */
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** Connection settings and credentials of an API server. It is plain data that you can copy and change. */
export interface Config {
  /** URL of the server, with a path if the server is behind a proxy that requires one. */
  host: string;
  /** PEM text of the certificate authorities to trust instead of the system's. */
  ca?: string;
  /** PEM text of the client certificate. */
  cert?: string;
  /** PEM text of the private key of the client certificate. */
  key?: string;
  /** File of `ca`, reloaded for each new connection, and at least every minute. It takes precedence over `ca`. */
  caFile?: string;
  /** File of `cert`, reloaded like `caFile`. Requires `keyFile`. */
  certFile?: string;
  /** File of `key`, reloaded like `caFile`. */
  keyFile?: string;
  /** Bearer token. */
  token?: string;
  /** File of the bearer token, reloaded when it changes. It takes precedence over `token`. */
  tokenFile?: string;
  /** User name for basic authentication. */
  username?: string;
  /** Password for basic authentication. */
  password?: string;
  /** Program that returns credentials. */
  exec?: ExecConfig;
  /** User that requests impersonate. */
  impersonate?: ImpersonateConfig;
  /** Skips the verification of the server's certificate. Insecure. */
  insecureSkipTLSVerify?: boolean;
  /** Host name to verify the server's certificate against, instead of the one in `host`. */
  tlsServerName?: string;
  /** URL of a proxy, with `http:`, `https:` or `socks5:`. If it is unset, HTTPS_PROXY, HTTP_PROXY and NO_PROXY apply. */
  proxyUrl?: string;
  /**
   * Doesn't let the server compress large responses, which saves processor time on fast networks.
   *
   * @defaultValue false
   */
  disableCompression?: boolean;
  /** Namespace of the kubeconfig's context, or of the Pod. */
  namespace?: string;
  /**
   * Client-side rate limit in requests per second.
   *
   * @defaultValue no limit
   */
  qps?: number;
  /**
   * Requests that can be sent before `qps` applies.
   *
   * @defaultValue the next integer above `qps`
   */
  burst?: number;
  /** `User-Agent` header. */
  userAgent?: string;
  /**
   * Maximum size in bytes of the body of one response. Larger bodies, such as a list of very many objects, are errors.
   * Watch events have a limit of 32 MiB each.
   *
   * @defaultValue 268435456 (256 MiB)
   */
  maxResponseBytes?: number;
}
