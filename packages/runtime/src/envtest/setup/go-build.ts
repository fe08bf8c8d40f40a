import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { packageRoot } from "../host/package-root.ts";
import { Problem } from "./problem.ts";
import type { Progress } from "./progress.ts";
import { binaryName } from "./store.ts";
import { BUILDABLE_VERSIONS, minorOf } from "./versions.ts";

const packages: Readonly<Record<string, string>> = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
};
const TAIL_LINES = 5;

/** Returns the binaries of a full release. kubectl is included only if it isn't installed. */
export function binariesToBuild(): string[] {
  return Object.keys(packages).filter((name) => name !== "kubectl" || !onPath("kubectl"));
}

/** Returns the reason why servers can't be built here, or `undefined` if they can. */
export function cannotBuild(): string | undefined {
  if (!onPath("go")) return "Go is not on PATH";
  const isComplete = BUILDABLE_VERSIONS.every((version) => moduleFiles(version));
  return isComplete ? undefined : "this package has no list of Go modules (test-servers)";
}

/** Builds binaries of a buildable release from Go modules with locked checksums into a directory. Throws a `Problem`. */
export async function buildFromGo(
  version: string,
  names: readonly string[],
  directory: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const files = moduleFiles(version);
  if (!files) throw new Problem(cannotBuild() ?? `no list of Go modules for ${version}`);
  const work = join(directory, "module");
  await mkdir(work);
  await copyFile(files.mod, join(work, "go.mod"));
  await copyFile(files.sum, join(work, "go.sum"));
  const [major, minor] = version.split(".");
  const variable = "k8s.io/component-base/version";
  const ldflags = [
    "-s -w",
    `-X ${variable}.gitVersion=v${version}`,
    `-X ${variable}.gitMajor=${major}`,
    `-X ${variable}.gitMinor=${minor}`,
  ].join(" ");
  for (const [index, name] of names.entries()) {
    const output = join(directory, binaryName(name));
    const args = ["build", "-trimpath", "-ldflags", ldflags, "-o", output, packages[name] ?? name];
    const text = `building ${name} of Kubernetes ${version} from Go modules (${index + 1} of ${names.length})`;
    await progress.step(text, () => go(args, work, name, signal));
  }
  await rm(work, { recursive: true });
}

async function go(args: readonly string[], cwd: string, name: string, signal: AbortSignal): Promise<void> {
  // Ignores Go settings that apply to the user's own modules.
  const { GOFLAGS: _f, GOOS: _o, GOARCH: _a, ...inherited } = process.env;
  const env = { ...inherited, CGO_ENABLED: "0", GOWORK: "off", GO111MODULE: "on" };
  const child = spawn("go", args, { cwd, env, stdio: ["ignore", "ignore", "pipe"], signal, windowsHide: true });
  let output = "";
  child.stderr.on("data", (chunk) => {
    output = (output + chunk).slice(-100_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code === 0) return;
  const lines = output.trim().split("\n").slice(-TAIL_LINES).join(" | ");
  throw new Problem(`go build of ${name} failed: ${lines || `exit code ${code}`}`);
}

// Finds the module files: next to the published bundle as text files (npm omits the go.mod of nested modules), or in scripts/
// of the repository.
function moduleFiles(version: string): { mod: string; sum: string } | undefined {
  const minor = minorOf(version);
  const places = [
    { directory: join(packageRoot(), "dist", "test-servers", minor), suffix: ".txt" },
    { directory: join(packageRoot(), "..", "..", "scripts", "test-servers", minor), suffix: "" },
  ];
  for (const { directory, suffix } of places) {
    const [mod, sum] = ["go.mod", "go.sum"].map((file) => join(directory, `${file}${suffix}`)) as [string, string];
    if (existsSync(mod) && existsSync(sum)) return { mod, sum };
  }
  return undefined;
}

function onPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, binaryName(name))));
}
