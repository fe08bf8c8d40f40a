// The Go modules of a release of Kubernetes.
import { execFileSync } from "node:child_process";

const staging = ["apiserver", "apiextensions-apiserver", "apimachinery"] as const;

/** The directories of the sources of a release, by module. */
export type Sources = Readonly<Record<"kubernetes" | (typeof staging)[number], string>>;

/**
 * Downloads the modules of a release into Go's module cache.
 *
 * @param version - the release, such as `1.38.0-beta.0`
 * @returns the directories of the modules
 * @throws Error if a module doesn't exist, or needs a newer Go than GOTOOLCHAIN selects
 */
export function downloadSources(version: string): Sources {
  const modules = [
    `k8s.io/kubernetes@v${version}`,
    ...staging.map((name) => `k8s.io/${name}@v${version.replace(/^1\./, "0.")}`),
  ];
  const text = execFileSync("go", ["mod", "download", "-json", ...modules], {
    encoding: "utf8",
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=mod" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // One JSON object per module, without separators.
  const entries = JSON.parse(`[${text.trim().replaceAll(/^\}\n\{/gm, "},{")}]`) as { Path: string; Dir: string }[];
  return Object.fromEntries(entries.map(({ Path, Dir }) => [Path.replace("k8s.io/", ""), Dir])) as Sources;
}
