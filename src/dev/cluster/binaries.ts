import { readFileSync } from "node:fs";
import { projectPackage } from "../../tasks/programs.ts";
import type { EnvtestPackage } from "../client/packages.ts";
import type { DevCluster } from "./cluster.ts";

/** Starts etcd and kube-apiserver. Their data is removed at the end. */
export async function binariesCluster(root: string, kubernetesVersion?: string): Promise<DevCluster> {
  const { TestEnvironment } = projectPackage<EnvtestPackage>(root, "@kubewright/runtime/envtest");
  const environment = new TestEnvironment({
    engine: "binaries",
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
  });
  const config = await environment.start();
  return {
    engine: "binaries",
    config,
    kubeconfig: readFileSync(environment.kubeconfigPath, "utf8"),
    stop: () => environment.stop(),
  };
}
