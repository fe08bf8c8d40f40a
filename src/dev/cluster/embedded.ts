import { existsSync, rmSync } from "node:fs";
import { ProblemError } from "../../project/problem-error.ts";
import { projectPackage } from "../../tasks/programs.ts";
import type { ApiServerPackage, EmbeddedServer } from "../client/packages.ts";
import type { DevCluster } from "./cluster.ts";

const reset = "npx scaffold dev --reset";

/** How far time travel reaches back. */
const history = { changes: 20_000, age: 8 * 3_600_000 };

/**
 * Starts the embedded API server in this process, with simulated workloads.
 *
 * @param root - the project, which has the package
 * @param dataFile - keeps the objects between sessions
 * @param options - `reset` starts without objects; `hadObjects` is true if an earlier session has stored some; `warn` receives warnings;
 *   `kubernetesVersion` is the minor version whose API is served
 * @throws ProblemError if the file isn't valid
 */
export async function embeddedCluster(
  root: string,
  dataFile: string,
  options: {
    readonly reset: boolean;
    readonly hadObjects: boolean;
    readonly warn: (line: string) => void;
    readonly kubernetesVersion: string | undefined;
  },
): Promise<DevCluster> {
  const { startApiServer } = projectPackage<ApiServerPackage>(root, "@kubewright/apiserver");
  if (options.reset) rmSync(dataFile, { force: true });
  else if (options.hadObjects && !existsSync(dataFile)) {
    options.warn("the objects of the last session were removed with node_modules, as by npm ci: the cluster is empty");
  }
  let server: EmbeddedServer;
  try {
    const { warn, kubernetesVersion } = options;
    const version = kubernetesVersion === undefined ? {} : { kubernetesVersion };
    server = await startApiServer({ controllers: { workloads: true }, dataFile, history, warn, ...version });
  } catch (error) {
    const { message } = error as Error;
    if (!message.startsWith(dataFile)) throw error;
    const [problem = "", own] = message.split("\nhint: ");
    const isDamaged = problem.includes("isn't a record");
    const hint = isDamaged ? `${own}, or remove all objects: ${reset}` : (own ?? `remove them: ${reset}`);
    throw new ProblemError("session-data", `can't read the objects of the last session: ${problem}`, hint);
  }
  return {
    engine: "embedded",
    config: server.config,
    kubeconfig: server.kubeconfig(),
    saveAgain: () => server.saveAgain?.() ?? false,
    travel: { revision: () => server.revision, restore: (revision) => server.restore(revision) },
    stop: () => server.stop(),
  };
}
