import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../project/problem-error.ts";
import { readValues } from "../yaml/values.ts";
import { splitImage } from "./images.ts";
import { manifests } from "./manifests.ts";
import { runProgram } from "./programs.ts";
import { settings, type Task } from "./task.ts";

/** `scaffold helm-deploy`. */
export async function helmDeploy(task: Task): Promise<void> {
  requireChart(task);
  await manifests(task);
  const { helm, image, release, releaseNamespace, helmArguments } = settings(task);
  const { repository, tag } = splitImage(image);
  const values = [`manager.image.repository=${repository}`, `manager.image.tag=${tag}`];
  await runProgram(task, helm, [
    "upgrade",
    "--install",
    release,
    "chart",
    "--namespace",
    releaseNamespace,
    "--create-namespace",
    ...values.flatMap((value) => ["--set-string", value]),
    "--wait",
    "--timeout=5m",
    ...helmArguments,
    ...task.args,
  ]);
}

/** `scaffold helm-uninstall`, `helm-status`, `helm-history` and `helm-rollback`. */
export async function onRelease(task: Task, command: string): Promise<void> {
  requireChart(task);
  const { helm, release, releaseNamespace } = settings(task);
  await runProgram(task, helm, [command, release, "--namespace", releaseNamespace, ...task.args]);
}

/** `scaffold helm-package`: packages the charts in dist/charts. */
export async function helmPackage(task: Task): Promise<void> {
  requireChart(task);
  await manifests(task);
  await packaged(task);
}

/** `scaffold helm-push`: packages the charts, and pushes them to CHART_REPO. */
export async function helmPush(task: Task): Promise<void> {
  requireChart(task);
  const { helm, chartRepository, helmArguments } = settings(task);
  if (!chartRepository.startsWith("oci://")) {
    throw new ProblemError(
      "bad-chart-repo",
      `CHART_REPO=${chartRepository}: must be the address of an OCI registry`,
      "for example: CHART_REPO=oci://ghcr.io/acme/charts",
    );
  }
  await manifests(task);
  const pushed: string[] = [];
  for (const archive of await packaged(task)) {
    const args = ["push", archive, chartRepository, ...helmArguments, ...task.args];
    const output = await runProgram(task, helm, args, { report: true });
    const [, reference = ""] = /^Pushed: (\S+):[^:\s]+$/m.exec(output) ?? [];
    const [, digest = ""] = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(output) ?? [];
    if (digest !== "") pushed.push(`${reference}@${digest}\n`);
  }
  if (task.calls === undefined) writeFileSync(join(task.root, pushedList), pushed.join(""));
}

/** The directory of packaged charts. */
const archives = "dist/charts";
/** The pushed charts with their digests, one per line. A signature belongs to a digest. */
const pushedList = `${archives}/pushed.txt`;

/** Packages the charts of a project. Returns the paths of the archives. */
async function packaged(task: Task): Promise<string[]> {
  const { helm, chartVersion } = settings(task);
  // Versions of charts have no "v", unlike tags and images.
  const version = chartVersion.replace(/^v(?=\d)/, "");
  const flags = chartVersion === "" ? [] : [`--version=${version}`, `--app-version=${chartVersion}`];
  const paths: string[] = [];
  for (const directory of task.project.crdChart ? ["chart-crds", "chart"] : ["chart"]) {
    const [chart] = readValues(readFileSync(join(task.root, directory, "Chart.yaml"), "utf8"));
    const { name, version: own } = chart as { readonly name?: unknown; readonly version?: unknown };
    paths.push(`${archives}/${name}-${version || own}.tgz`);
    await runProgram(task, helm, ["package", directory, `--destination=${archives}`, ...flags], { progress: true });
  }
  return paths;
}

function requireChart({ project }: Task): void {
  if (project.helm) return;
  throw new ProblemError("no-chart", "this project has no Helm chart", "create it with npx scaffold edit --helm");
}
