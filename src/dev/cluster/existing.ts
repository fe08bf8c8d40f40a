import { existsSync, readFileSync, rmSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { readValues } from "../../yaml/values.ts";
import { statusOf } from "../client/kube-client.ts";
import { runtimeOf, type Transport } from "../client/packages.ts";
import type { DevCluster } from "./cluster.ts";

type Named = { readonly name?: string } & Record<string, unknown>;

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly clusters?: readonly Named[];
  readonly users?: readonly Named[];
  readonly contexts?: readonly (Named & { context?: { cluster?: string; user?: string; namespace?: string } })[];
}

/** The current context of the user's kubeconfig. */
export interface ExistingCluster {
  readonly context: string;
  readonly server: string;
  /** Whether the server is on this machine. */
  readonly isLocal: boolean;
  readonly namespace: string;
  /** A kubeconfig with this context only. */
  readonly kubeconfig: string;
  /**
   * Connects to the cluster.
   *
   * @param kubeconfigPath - where {@link kubeconfig} was written
   * @param signal - ends the attempt to connect
   * @throws ProblemError if the cluster doesn't respond, or refuses the user
   */
  open(root: string, kubeconfigPath: string, signal: AbortSignal): Promise<DevCluster>;
}

/** In milliseconds. */
const connectTime = 10_000;

const fileFields = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/**
 * Reads a context.
 *
 * @param env - `KUBECONFIG` and `HOME` of the environment
 * @param cwd - the base of relative paths
 * @param name - the name of the context; the current one by default
 * @throws ProblemError if it doesn't exist
 */
export function existingCluster(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  name?: string,
): ExistingCluster {
  const listed = (env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  const paths = listed.length > 0 ? listed : [join(env.HOME ?? homedir(), ".kube", "config")];
  const files = paths.map((path) => resolve(cwd, path)).filter((path) => existsSync(path));
  const parsed = files.map((path) => ({ path, config: read(path) }));
  const context = name ?? parsed.map(({ config }) => config["current-context"]).find((current) => current);
  if (context === undefined) {
    throw new ProblemError(
      "no-cluster",
      `no cluster: ${paths.join(", ")} has no current context`,
      "set KUBECONFIG, or run npx scaffold dev without --cluster for the embedded API server",
    );
  }
  if (find(parsed, "contexts", context) === undefined && name !== undefined) {
    throw new ProblemError("no-cluster", `no cluster: ${paths.join(", ")} has no context ${name}`);
  }
  const chosen = find(parsed, "contexts", context)?.entry.context as {
    cluster?: string;
    user?: string;
    namespace?: string;
  };
  const cluster = find(parsed, "clusters", chosen?.cluster ?? "");
  const user = find(parsed, "users", chosen?.user ?? "");
  if (!cluster)
    throw new ProblemError("no-cluster", `no cluster: context ${context} of ${paths.join(", ")} is incomplete`);
  const server = String((cluster.entry.cluster as { server?: string } | undefined)?.server ?? "");
  const kubeconfig = JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      "current-context": context,
      contexts: [{ name: context, context: chosen }],
      clusters: [{ ...cluster.entry, cluster: withAbsolutePaths(cluster.entry.cluster, cluster.path) }],
      users: user ? [{ ...user.entry, user: withAbsolutePaths(user.entry.user, user.path) }] : [],
    },
    null,
    2,
  );
  return {
    context,
    server,
    isLocal: isLoopback(server),
    namespace: chosen?.namespace ?? "default",
    kubeconfig,
    async open(root, kubeconfigPath, signal) {
      const config = await runtimeOf(root).loadConfig({ kubeconfig: kubeconfigPath });
      // It contains the credentials of the cluster's user.
      const stop = async () => rmSync(kubeconfigPath, { force: true });
      try {
        await checkConnection(runtimeOf(root).createTransport(config), `context ${context} (${server})`, signal);
      } catch (error) {
        await stop();
        throw error;
      }
      return { engine: "cluster", config, kubeconfig, stop };
    },
  };
}

/** Without this check, each step of the start would report the same failure. */
async function checkConnection(transport: Transport, about: string, signal: AbortSignal): Promise<void> {
  try {
    await transport.request({ method: "GET", path: "/version", timeout: connectTime, maxRetries: 0, signal });
  } catch (error) {
    // A user without permission for the version can have others.
    if (signal.aborted || statusOf(error) === 403) return;
    throw new ProblemError(
      "no-cluster",
      `no cluster: the server of ${about} can't be used: ${(error as Error).message}`,
      "start it or select another context: kubectl config use-context NAME",
    );
  } finally {
    await transport.close();
  }
}

/** Names of this machine. Tools for local clusters write the last ones: k3d the address, and Docker Desktop the name. */
const localHosts = new Set(["localhost", "[::1]", "0.0.0.0", "[::]", "kubernetes.docker.internal"]);

function isLoopback(server: string): boolean {
  try {
    const { hostname } = new URL(server);
    return localHosts.has(hostname) || (isIP(hostname) === 4 && hostname.startsWith("127."));
  } catch {
    return false;
  }
}

function read(path: string): Kubeconfig {
  try {
    return (readValues(readFileSync(path, "utf8"))[0] ?? {}) as Kubeconfig;
  } catch (error) {
    throw new ProblemError("no-cluster", `no cluster: ${path} can't be read: ${(error as Error).message}`);
  }
}

function find(
  files: readonly { readonly path: string; readonly config: Kubeconfig }[],
  list: "contexts" | "clusters" | "users",
  name: string,
): { readonly path: string; readonly entry: Named } | undefined {
  for (const { path, config } of files) {
    const entry = config[list]?.find((named) => named.name === name);
    if (entry) return { path, entry };
  }
  return undefined;
}

function withAbsolutePaths(settings: unknown, path: string): unknown {
  if (typeof settings !== "object" || settings === null) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      fileFields.includes(name) && typeof value === "string" && !isAbsolute(value)
        ? resolve(dirname(path), value)
        : value,
    ]),
  );
}
