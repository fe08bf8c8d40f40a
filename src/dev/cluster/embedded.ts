import { rmSync } from "node:fs";
import { projectPackage } from "../../tasks/programs.ts";
import type { ApiServerPackage } from "../packages.ts";
import type { DevCluster } from "./cluster.ts";

/** How far time travel reaches back. */
const history = { changes: 20_000, age: 8 * 3_600_000 };

/**
 * Starts the embedded API server in this process, with simulated workloads.
 *
 * @param root - the project, which has the package
 * @param dataFile - keeps the objects between sessions
 * @param options - `reset` starts without objects; `warn` receives warnings
 */
export async function embeddedCluster(
  root: string,
  dataFile: string,
  options: { readonly reset: boolean; readonly warn: (line: string) => void },
): Promise<DevCluster> {
  const { startApiServer } = projectPackage<ApiServerPackage>(root, "@kubewright/apiserver");
  if (options.reset) rmSync(dataFile, { force: true });
  const server = await startApiServer({ controllers: { workloads: true }, dataFile, history, warn: options.warn });
  return {
    engine: "embedded",
    config: server.config,
    kubeconfig: server.kubeconfig(),
    travel: { revision: () => server.revision, restore: (revision) => server.restore(revision) },
    stop: () => server.stop(),
  };
}
