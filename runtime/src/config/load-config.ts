import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Config } from "./config.ts";
import { configFromKubeconfig } from "./from-kubeconfig.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import { ConfigError } from "./kubeconfig.ts";
import { readKubeconfigs } from "./read-kubeconfig.ts";

/** Where the configuration is looked for. */
export interface LoadConfigOptions {
  /** Path of a kubeconfig; nothing else is looked at then. */
  kubeconfig?: string;
  /** Context to take in place of the current one. */
  context?: string;
}

/** What the search for a configuration depends on; the process' own by default. */
export interface Surroundings {
  argv: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
  serviceAccountDirectory?: string;
}

/**
 * Finds out how to reach the API server, in this order: the given kubeconfig, the `--kubeconfig` flag, `KUBECONFIG` (a list of
 * files), the pod's service account, `~/.kube/config`. Throws `ConfigError`, whose message is one line.
 *
 * @example
 * const config = loadConfig({ context: "staging" });
 */
export function loadConfig(options: LoadConfigOptions = {}, surroundings: Surroundings = ownSurroundings()): Config {
  const { argv, environment, home, serviceAccountDirectory } = surroundings;
  const explicit = options.kubeconfig || kubeconfigFlag(argv);
  if (explicit) {
    return configFromKubeconfig(readKubeconfigs([explicit], true), options.context, `the kubeconfig ${explicit}`);
  }
  const listed = (environment.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  if (listed.length > 0) {
    if (!listed.some((file) => existsSync(file))) {
      throw new ConfigError(
        `KUBECONFIG names ${listed.join(", ")}, which ${listed.length > 1 ? "aren't" : "isn't"} there`,
      );
    }
    return configFromKubeconfig(
      readKubeconfigs(listed, false),
      options.context,
      `the kubeconfig ${listed.join(delimiter)}`,
    );
  }
  // A context can only be meant of a kubeconfig.
  if (options.context === undefined && isInCluster(environment, serviceAccountDirectory)) {
    return inClusterConfig(environment, serviceAccountDirectory);
  }
  const fallback = join(home, ".kube", "config");
  if (!existsSync(fallback)) {
    throw new ConfigError(
      `no API server is configured: neither --kubeconfig nor KUBECONFIG is set, this isn't a pod, and ${fallback} isn't there`,
    );
  }
  return configFromKubeconfig(readKubeconfigs([fallback], true), options.context, `the kubeconfig ${fallback}`);
}

/** Like {@link loadConfig}; prints the one line of the error and ends the process with 1 when there is no configuration. */
export function getConfigOrDie(options: LoadConfigOptions = {}): Config {
  try {
    return loadConfig(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`unable to get the configuration of the API server: ${error.message}\n`);
    process.exit(1);
  }
}

function ownSurroundings(): Surroundings {
  return { argv: process.argv.slice(2), environment: process.env, home: homeDirectory() };
}

function homeDirectory(): string {
  try {
    return process.env.HOME || homedir();
  } catch {
    // The system knows no such user, as in a container that runs under a number: there its home is this.
    return "/";
  }
}

// One dash or two, with or without "=": as Go's flags have it.
function kubeconfigFlag(argv: readonly string[]): string | undefined {
  for (const [index, argument] of argv.entries()) {
    if (argument === "--") return undefined;
    const match = /^--?kubeconfig(?:=(.*))?$/s.exec(argument);
    if (match) return match[1] ?? argv[index + 1];
  }
  return undefined;
}
