import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Config } from "./config.ts";
import { configFromKubeconfig } from "./from-kubeconfig.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import { ConfigError } from "./kubeconfig.ts";
import { readKubeconfigs } from "./read-kubeconfig.ts";

/** Options of {@link loadConfig}. */
export interface LoadConfigOptions {
  /**
   * Path of a kubeconfig. No other place is searched.
   *
   * @defaultValue searched as {@link loadConfig} describes
   */
  kubeconfig?: string;
  /**
   * Context of the kubeconfig.
   *
   * @defaultValue the current context
   */
  context?: string;
}

/** The part of the process environment that {@link loadConfig} reads. Tests can replace it. */
export interface ProcessEnvironment {
  /** Command-line arguments, searched for `--kubeconfig`. */
  argv: readonly string[];
  /** Environment variables. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Home directory, which contains `.kube/config`. */
  home: string;
  /** Directory of the mounted service account. */
  serviceAccountDirectory?: string;
}

/**
 * Finds the connection settings of the API server, in this order: `options.kubeconfig`, the `--kubeconfig` flag,
 * `KUBECONFIG` (a list of files), the Pod's service account, `~/.kube/config`.
 *
 * @param options - a kubeconfig or context to use
 * @param environment - replaces the arguments and variables of the process, for tests
 * @returns the configuration
 * @throws ConfigError with a one-line message if no usable configuration is found
 *
 * @example
 * const config = loadConfig({ context: "staging" });
 */
export function loadConfig(
  options: LoadConfigOptions = {},
  environment: ProcessEnvironment = processEnvironment(),
): Config {
  const { argv, environment: variables, home, serviceAccountDirectory } = environment;
  const explicit = options.kubeconfig || kubeconfigFlag(argv);
  if (explicit) {
    return configFromKubeconfig(readKubeconfigs([explicit], true), options.context, `the kubeconfig ${explicit}`);
  }
  const listed = (variables.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  if (listed.length > 0) {
    if (!listed.some((file) => existsSync(file))) {
      throw new ConfigError(
        `KUBECONFIG lists ${listed.join(", ")}, but ${listed.length > 1 ? "these files don't exist" : "this file doesn't exist"}`,
      );
    }
    return configFromKubeconfig(
      readKubeconfigs(listed, false),
      options.context,
      `the kubeconfig ${listed.join(delimiter)}`,
    );
  }
  // Only a kubeconfig has contexts.
  if (options.context === undefined && isInCluster(variables, serviceAccountDirectory)) {
    return inClusterConfig(variables, serviceAccountDirectory);
  }
  const fallback = join(home, ".kube", "config");
  if (!existsSync(fallback)) {
    throw new ConfigError(
      `no API server is configured: neither --kubeconfig nor KUBECONFIG is set, this process doesn't run in a Pod, and ${fallback} doesn't exist`,
    );
  }
  return configFromKubeconfig(readKubeconfigs([fallback], true), options.context, `the kubeconfig ${fallback}`);
}

/**
 * Finds the connection settings like {@link loadConfig}. If there are none, it prints the one-line error and ends the
 * process with exit code 1.
 *
 * @param options - a kubeconfig or context to use
 * @returns the configuration
 * @throws Error if reading the settings fails for another reason than a {@link ConfigError}
 *
 * @example
 * const mgr = await Manager.create(getConfigOrDie());
 */
export function getConfigOrDie(options: LoadConfigOptions = {}): Config {
  try {
    return loadConfig(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`unable to get the configuration of the API server: ${error.message}\n`);
    process.exit(1);
  }
}

function processEnvironment(): ProcessEnvironment {
  return { argv: process.argv.slice(2), environment: process.env, home: homeDirectory() };
}

function homeDirectory(): string {
  try {
    return process.env.HOME || homedir();
  } catch {
    // The user has no entry in the system's user database, as in containers that run with a numeric user ID.
    return "/";
  }
}

// Like Go's flags, accepts one or two dashes, with or without "=".
function kubeconfigFlag(argv: readonly string[]): string | undefined {
  for (const [index, argument] of argv.entries()) {
    if (argument === "--") return undefined;
    const match = /^--?kubeconfig(?:=(.*))?$/s.exec(argument);
    if (match) return match[1] ?? argv[index + 1];
  }
  return undefined;
}
