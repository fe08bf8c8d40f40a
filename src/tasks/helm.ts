import { splitImage } from "./images.ts";
import type { Task, TaskContext } from "./task.ts";
import { TaskError } from "./task-error.ts";
import type { VariableName } from "./variables.ts";

const variables: readonly VariableName[] = ["HELM", "HELM_RELEASE", "HELM_NAMESPACE"];

/** `scaffold helm-deploy` */
export const helmDeploy: Task = {
  description: "Update the manifests and the chart, and install or upgrade the release with the image IMG.",
  variables: ["IMG", ...variables, "HELM_EXTRA_ARGS"],
  flagsFor: "helm upgrade",
  async run(context) {
    refuseWithoutChart(context);
    await context.generate();
    const { IMG, HELM, HELM_RELEASE, HELM_NAMESPACE, HELM_EXTRA_ARGS } = context.variables;
    const { repository, tag } = splitImage(IMG);
    await context.runner.run(HELM, [
      ...["upgrade", "--install", HELM_RELEASE, "chart", "--namespace", HELM_NAMESPACE, "--create-namespace"],
      ...["--set-string", `manager.image.repository=${repository}`, "--set-string", `manager.image.tag=${tag}`],
      ...["--wait", "--timeout=5m"],
      ...HELM_EXTRA_ARGS.split(/\s+/).filter((word) => word !== ""),
      ...context.args,
    ]);
  },
};

/** `scaffold helm-uninstall` */
export const helmUninstall = releaseTask("uninstall", "Uninstall the Helm release. The CRDs are kept.");
/** `scaffold helm-status` */
export const helmStatus = releaseTask("status", "Show the status of the Helm release.");
/** `scaffold helm-history` */
export const helmHistory = releaseTask("history", "Show the revisions of the Helm release.");
/** `scaffold helm-rollback` */
export const helmRollback = releaseTask("rollback", "Roll back the Helm release to its previous revision.");

/** Returns the task that calls `helm <word> <release>`. */
function releaseTask(word: string, description: string): Task {
  return {
    description,
    variables,
    async run(context) {
      refuseWithoutChart(context);
      const { HELM, HELM_RELEASE, HELM_NAMESPACE } = context.variables;
      await context.runner.run(HELM, [word, HELM_RELEASE, "--namespace", HELM_NAMESPACE]);
    },
  };
}

function refuseWithoutChart({ project }: TaskContext): void {
  if (project.helm) return;
  throw new TaskError("no-chart", "can't run Helm: this project has no chart", {
    hint: "create it with npx scaffold edit --helm",
  });
}
