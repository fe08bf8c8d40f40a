import { parseArgs } from "node:util";
import { createLogger } from "../log/create-logger.ts";
import { FlagError, loggerOptionsFromFlags } from "../log/options.ts";
import { programName } from "../transport/user-agent.ts";
import { selfManagedCertificatesFromEnv } from "../webhook/self-managed/from-env.ts";
import type { ManagerOptions } from "./options.ts";

/** A flag of a manager's command line. */
export interface FlagOption {
  /** Type of the value. A boolean flag can be used without a value. */
  type: "boolean" | "number" | "string";
  /** Description for `--help`. */
  description: string;
  /**
   * Value if the flag isn't set.
   *
   * @defaultValue undefined
   */
  default?: boolean | number | string;
}

/** Flags by their names. */
export type FlagOptions = Readonly<Record<string, FlagOption>>;

/** The value of a flag. */
export type FlagValue<Option extends FlagOption> = { boolean: boolean; number: number; string: string }[Option["type"]];

/** The names of the flags that have a default. */
export type FlagsWithDefault<Options extends FlagOptions> = {
  [Name in keyof Options]: Options[Name] extends Required<Pick<FlagOption, "default">> ? Name : never;
}[keyof Options];

/** The values of flags by their names. A flag without a default that isn't set has no value. */
export type FlagValues<Options extends FlagOptions> = {
  [Name in FlagsWithDefault<Options>]: FlagValue<Options[Name]>;
} & {
  [Name in Exclude<keyof Options, FlagsWithDefault<Options>>]?: FlagValue<Options[Name]>;
};

/** The flags of every manager, by their names. */
export const managerFlags: FlagOptions = {
  "enable-http2": { type: "boolean", default: false, description: "Serve webhooks over HTTP/2 too." },
  "health-probe-bind-address": {
    type: "string",
    default: ":8081",
    description: "Address of the health probes. 0 disables them.",
  },
  "inspect-bind-address": {
    type: "string",
    default: "0",
    description: "Address on the loopback interface that serves what the reconciles do, such as :8082. 0 disables it.",
  },
  kubeconfig: {
    type: "string",
    description: "Path of a kubeconfig. The default is KUBECONFIG, or else the Pod's account.",
  },
  "leader-elect": {
    type: "boolean",
    default: false,
    description: "Run controllers only in one replica at a time, the leader.",
  },
  "leader-election-namespace": {
    type: "string",
    description: "Namespace of the Lease. The default is the Pod's namespace, or that of the kubeconfig's context.",
  },
  "metrics-bind-address": { type: "string", default: "0", description: "Address of the metrics. 0 disables them." },
  "metrics-cert-key": { type: "string", default: "tls.key", description: "File name of the metrics' private key." },
  "metrics-cert-name": { type: "string", default: "tls.crt", description: "File name of the metrics' certificate." },
  "metrics-cert-path": { type: "string", description: "Directory of the metrics' certificate." },
  "metrics-secure": {
    type: "boolean",
    default: true,
    description: "Serve metrics over HTTPS, to authorized callers only.",
  },
  sharding: { type: "boolean", default: false, description: "Share the objects among all replicas." },
  "sharding-key": {
    type: "string",
    default: "namespace",
    description: "Value that divides the objects among the replicas: namespace or uid.",
  },
  "webhook-cert-key": { type: "string", default: "tls.key", description: "File name of the webhooks' private key." },
  "webhook-cert-name": { type: "string", default: "tls.crt", description: "File name of the webhooks' certificate." },
  "webhook-cert-path": { type: "string", description: "Directory of the webhooks' certificate." },
  "webhook-local-url": {
    type: "string",
    description: "URL at which the API server reaches the webhooks of this process, for development.",
  },
  "webhook-port": { type: "number", default: 9443, description: "Port of the webhooks." },
  "zap-devel": {
    type: "boolean",
    default: false,
    description: "Log for development: console lines, level debug, stack traces from warn on.",
  },
  "zap-encoder": {
    type: "string",
    description: "Format of log lines: json or console. The default is console on a terminal, otherwise json.",
  },
  "zap-log-level": {
    type: "string",
    description: "Lowest level to log: debug, info, error, panic or a number above 0.",
  },
  "zap-stacktrace-level": { type: "string", description: "Lowest level with stack traces: info, error or panic." },
  "zap-time-encoding": {
    type: "string",
    description: "Format of times: epoch, millis, nanos, iso8601, rfc3339 or rfc3339nano.",
  },
};

/** The values of a manager's flags, by their names. `--help` describes them. */
export interface ManagerFlags {
  /** Serves webhooks over HTTP/2 too. */
  "enable-http2": boolean;
  /** Address of the health probes. 0 disables them. */
  "health-probe-bind-address": string;
  /** Address on the loopback interface that serves what the reconciles do. 0 disables it. */
  "inspect-bind-address": string;
  /** Path of a kubeconfig. The default is KUBECONFIG, or else the Pod's account. */
  kubeconfig?: string;
  /** Runs controllers only in one replica at a time, the leader. */
  "leader-elect": boolean;
  /** Namespace of the Lease. The default is the Pod's namespace, or that of the kubeconfig's context. */
  "leader-election-namespace"?: string;
  /** Address of the metrics. 0 disables them. */
  "metrics-bind-address": string;
  /** File name of the metrics' private key. */
  "metrics-cert-key": string;
  /** File name of the metrics' certificate. */
  "metrics-cert-name": string;
  /** Directory of the metrics' certificate. */
  "metrics-cert-path"?: string;
  /** Serves metrics over HTTPS, to authorized callers only. */
  "metrics-secure": boolean;
  /** Shares the objects among all replicas. */
  sharding: boolean;
  /** Value that divides the objects among the replicas: `namespace` or `uid`. */
  "sharding-key": string;
  /** File name of the webhooks' private key. */
  "webhook-cert-key": string;
  /** File name of the webhooks' certificate. */
  "webhook-cert-name": string;
  /** Directory of the webhooks' certificate. */
  "webhook-cert-path"?: string;
  /** URL at which the API server reaches the webhooks of this process, for development. */
  "webhook-local-url"?: string;
  /** Port of the webhooks. */
  "webhook-port": number;
  /** Logs for development: console lines, level debug, stack traces from warn on. */
  "zap-devel": boolean;
  /** Format of log lines: json or console. The default is console on a terminal, otherwise json. */
  "zap-encoder"?: string;
  /** Lowest level to log: debug, info, error, panic or a number above 0. */
  "zap-log-level"?: string;
  /** Lowest level with stack traces: info, error or panic. */
  "zap-stacktrace-level"?: string;
  /** Format of times: epoch, millis, nanos, iso8601, rfc3339 or rfc3339nano. */
  "zap-time-encoding"?: string;
}

/**
 * Parses the flags of a manager, which have the names of kubebuilder's. As in Go, a flag has one or two dashes, its value
 * follows after `=` or as the next argument, and a boolean flag takes a value only after `=`. With `--help`, prints all
 * flags to standard output and ends the process with exit code 0.
 *
 * @param argv - the arguments. The default is the arguments of the process.
 * @param settings - `options`: your own flags, which also appear in the help
 * @returns the values by the flags' names
 * @throws FlagError for an unknown flag, an invalid value or an argument that isn't a flag
 *
 * @example
 * const flags = parseManagerFlags(undefined, {
 *   options: { "sync-period": { type: "number", default: 600, description: "Seconds between two resyncs." } },
 * });
 * const mgr = await Manager.create(getConfigOrDie(flags), managerOptions(flags));
 */
export function parseManagerFlags<const Options extends FlagOptions = Record<never, never>>(
  argv: readonly string[] = process.argv.slice(2),
  settings: { options?: Options } = {},
): ManagerFlags & FlagValues<Options> {
  const options: FlagOptions = { ...managerFlags, ...settings.options };
  const { tokens } = parseArgs({
    args: argv.map((argument) => withTwoDashes(argument, options)),
    options: Object.fromEntries([
      ...Object.entries(options).map(([name, { type }]) => [name, { type: type === "boolean" ? type : "string" }]),
      ["help", { type: "boolean", short: "h" }],
    ]),
    strict: false,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    if (option.default !== undefined) values[name] = option.default;
  }
  for (const token of tokens) {
    if (token.kind === "positional") throw new FlagError(`${JSON.stringify(token.value)} isn't a flag`);
    if (token.kind !== "option") continue;
    const { name, value } = token;
    if (name === "help") {
      process.stdout.write(helpText(options));
      process.exit(0);
    }
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) throw new FlagError(`unknown flag --${name}: --help lists all flags`);
    values[name] = parseValue(name, option, value);
  }
  return values as ManagerFlags & FlagValues<Options>;
}

/** Go's flags can have one dash. A single letter stays as it is. */
function withTwoDashes(argument: string, options: FlagOptions): string {
  const name = /^-([^-=][^=]+)/.exec(argument)?.[1];
  return name !== undefined && (Object.hasOwn(options, name) || name === "help") ? `-${argument}` : argument;
}

function parseValue(name: string, { type }: FlagOption, value: string | undefined): boolean | number | string {
  const invalid = (rule: string): FlagError =>
    new FlagError(`--${name}: invalid value ${JSON.stringify(value ?? "")}: it must be ${rule}`);
  if (type === "boolean") {
    if (value === undefined || /^(1|t|true)$/i.test(value)) return true;
    if (/^(0|f|false)$/i.test(value)) return false;
    throw invalid("true or false");
  }
  if (value === undefined) throw new FlagError(`--${name} requires a value`);
  if (type === "string") return value;
  if (value.trim() === "" || !Number.isFinite(Number(value))) throw invalid("a number");
  return Number(value);
}

function helpText(options: FlagOptions): string {
  const entries = Object.entries({
    ...options,
    help: { type: "boolean", description: "Print this help." } satisfies FlagOption,
  }).sort(([a], [b]) => (a < b ? -1 : 1));
  const heads = entries.map(([name, { type }]) => `  --${name}${type === "boolean" ? "" : ` ${type}`}`);
  const width = Math.max(...heads.map(({ length }) => length)) + 2;
  const lines = entries.map(([, option], index) => {
    const given = (option as FlagOption).default;
    return `${(heads[index] ?? "").padEnd(width)}${option.description}${given === undefined ? "" : ` (default: ${given})`}`;
  });
  return `Flags of ${programName()}:\n\n${lines.join("\n")}\n`;
}

/**
 * Converts the flags of a manager into options of {@link Manager.create}: logger, metrics, webhooks, probes and leader
 * election, and sharding. Webhook certificates are self-managed if the environment configures it (see
 * {@link selfManagedCertificatesFromEnv}).
 *
 * @param flags - the values that {@link parseManagerFlags} returned
 * @returns the options. Add your own, such as `leaderElectionID`.
 * @throws FlagError if the port or a `--zap-…` flag isn't valid
 * @throws Error if a variable of self-managed certificates is missing
 *
 * @example
 * const flags = parseManagerFlags();
 * const mgr = await Manager.create(getConfigOrDie(flags), { ...managerOptions(flags), leaderElectionID: "game.example.org" });
 */
export function managerOptions(flags: ManagerFlags): ManagerOptions {
  const port = flags["webhook-port"];
  if (!Number.isInteger(port) || port < -1 || port > 65_535) {
    throw new FlagError(`--webhook-port: invalid value ${port}: it must be a port number`);
  }
  const key = flags["sharding-key"] ?? "namespace";
  if (key !== "namespace" && key !== "uid") {
    throw new FlagError(`--sharding-key: invalid value ${JSON.stringify(key)}: it must be namespace or uid`);
  }
  const inspectAddress = flags["inspect-bind-address"];
  return {
    logger: createLogger(loggerOptionsFromFlags(flags)),
    // A program can parse the flags itself, and pass only some of them.
    ...(inspectAddress && inspectAddress !== "0" ? { inspect: { bindAddress: inspectAddress } } : {}),
    metrics: {
      bindAddress: flags["metrics-bind-address"],
      secureServing: flags["metrics-secure"],
      certDir: flags["metrics-cert-path"],
      certName: flags["metrics-cert-name"],
      keyName: flags["metrics-cert-key"],
    },
    webhook: {
      port,
      certDir: flags["webhook-cert-path"],
      certName: flags["webhook-cert-name"],
      keyName: flags["webhook-cert-key"],
      enableHTTP2: flags["enable-http2"],
      selfManagedCertificates: selfManagedCertificatesFromEnv(),
      local: { url: flags["webhook-local-url"], namePrefix: `${programName()}-` },
    },
    healthProbeBindAddress: flags["health-probe-bind-address"],
    leaderElection: flags.sharding ? true : flags["leader-elect"],
    ...(flags.sharding ? { sharding: { key } } : {}),
    leaderElectionNamespace: flags["leader-election-namespace"],
  };
}
