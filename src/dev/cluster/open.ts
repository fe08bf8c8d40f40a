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
  const { root, engine, env, reset, confirm } = options;
  if (engine === "binaries") return (await import("./binaries.ts")).binariesCluster(root);
  if (engine === "cluster") {
    const { existingCluster } = await import("./existing.ts");
    const found = existingCluster(env, root);
    if (!found.isLocal && !(await confirm(found.context, found.server))) {
      throw new ProblemError(
        "cluster-refused",
        `can't start: context ${found.context} isn't local`,
        "use --yes to use it",
      );
    }
    writeSecret(paths.kubeconfig, found.kubeconfig);
    return found.open(root, paths.kubeconfig, signal);
  }
  const { embeddedCluster } = await import("./embedded.ts");
  return embeddedCluster(root, paths.data, { reset, hadObjects: isEmbeddedKubeconfig(paths.kubeconfig), warn });
}
