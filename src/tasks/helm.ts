import { manifests } from "./manifests.ts";
import { runProgram } from "./programs.ts";
import { settings, type Task, TaskError } from "./task.ts";

/** `scaffold helm-deploy`. */
export async function helmDeploy(task: Task): Promise<void> {
  requireChart(task);
  await manifests(task);
  const { helm, image, release, releaseNamespace, helmArguments } = settings(task);
  // A port before the path isn't a tag.
  const [, repository = "", tag = ""] = /^(.*?)(?::([^:/@]*))?$/.exec(image) ?? [];
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
  throw new TaskError("no-chart", "this project has no Helm chart", "create it with npx scaffold edit --helm");
}
