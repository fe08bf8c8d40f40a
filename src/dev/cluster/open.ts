import { ProblemError } from "../../project/problem-error.ts";
import { isEmbeddedKubeconfig, type SessionPaths, writeSecret } from "../setup/files.ts";
import type { DevOptions } from "../setup/options.ts";
import type { DevCluster } from "./cluster.ts";

/**
 * Opens the cluster that the options name.
 *
 * @param options - the options of the session
 * @param paths - its files
 * @param warn - receives warnings of the embedded server
 * @param signal - ends the attempt to connect
 * @returns the cluster
 * @throws ProblemError if the cluster of the kubeconfig can't be used, or the user refuses it
 */
export async function openCluster(
  options: DevOptions,
  paths: SessionPaths,
  warn: (message: string) => void,
  signal: AbortSignal,
): Promise<DevCluster> {
  const { root, engine, env, reset, confirm, kubernetesVersion } = options;
  if (engine === "binaries") return (await import("./binaries.ts")).binariesCluster(root, kubernetesVersion);
  if (engine === "cluster") {
    const { existingCluster } = await import("./existing.ts");
    const existing = existingCluster(env, root);
    if (!existing.isLocal && !(await confirm(existing.context, existing.server))) {
      throw new ProblemError(
        "cluster-refused",
        `can't start: context ${existing.context} isn't local`,
        "use --yes to use it",
      );
    }
    writeSecret(paths.kubeconfig, existing.kubeconfig);
    return existing.open(root, paths.kubeconfig, signal);
  }
  const { embeddedCluster } = await import("./embedded.ts");
  const hadObjects = isEmbeddedKubeconfig(paths.kubeconfig);
  return embeddedCluster(root, paths.data, { reset, hadObjects, warn, kubernetesVersion });
}
