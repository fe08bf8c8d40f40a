import { execFileSync } from "node:child_process";

/** Downloads a Go module, such as `k8s.io/client-go@v0.37.2`, and returns its directory in Go's cache. */
export function moduleSources(module: string): string {
  const args = ["mod", "download", "-json", module];
  return JSON.parse(execFileSync("go", args, { encoding: "utf8", cwd: import.meta.dirname })).Dir;
}

/** Downloads the sources of a release of Kubernetes, such as `v1.37.2`, and returns their directory in Go's cache. */
export function kubernetesSources(release: string): string {
  return moduleSources(`k8s.io/kubernetes@${release}`);
}
