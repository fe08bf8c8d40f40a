import { ProblemError } from "../project/problem-error.ts";
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

function requireChart({ project }: Task): void {
  if (project.helm) return;
  throw new ProblemError("no-chart", "this project has no Helm chart", "create it with npx scaffold edit --helm");
}
