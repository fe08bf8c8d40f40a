import { execFileSync } from "node:child_process";

/** Downloads the sources of a release of Kubernetes, such as `v1.37.2`, and returns their directory in Go's cache. */
export function kubernetesSources(release: string): string {
  const args = ["mod", "download", "-json", `k8s.io/kubernetes@${release}`];
  return JSON.parse(execFileSync("go", args, { encoding: "utf8", cwd: import.meta.dirname })).Dir;
}
