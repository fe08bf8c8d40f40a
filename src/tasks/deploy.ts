import { describeHeld, heldObjects, removeFinalizers } from "./finalizers.ts";
import { apply, kubectlOf, remove } from "./kubectl.ts";
import { buildCrds, buildDeployment } from "./kustomize.ts";
import { waitUntilReady } from "./rollout.ts";
import type { Task } from "./task.ts";
import { TaskError } from "./task-error.ts";

/** `scaffold install` */
export const install: Task = {
  description: "Update the manifests and apply the CRDs to the current cluster.",
  variables: ["KUBECTL", "KUSTOMIZE"],
  async run(context) {
    await context.generate();
    const crds = await buildCrds(context);
    if (crds !== undefined) await apply(kubectlOf(context), crds);
  },
};

/** `scaffold uninstall` */
export const uninstall: Task = {
  description:
    "Update the manifests and delete the CRDs from the current cluster, together with all objects of these kinds.",
  variables: ["KUBECTL", "KUSTOMIZE", "IGNORE_NOT_FOUND"],
  flags: ["ignore-not-found"],
  async run(context) {
    await context.generate();
    const crds = await buildCrds(context);
    if (crds !== undefined) await remove(kubectlOf(context), crds, context.variables.IGNORE_NOT_FOUND === "true");
  },
};

/** `scaffold deploy` */
export const deploy: Task = {
  description:
    "Update the manifests, apply config/default with the image IMG to the current cluster, and wait until the manager is ready. If it doesn't become ready, the command prints the reasons.",
  variables: ["IMG", "KUBECTL", "KUSTOMIZE", "DEPLOY_TIMEOUT"],
  async run(context) {
    const { print, variables, runner } = context;
    const kubectl = kubectlOf(context);
    await context.generate();
    const objects = await apply(kubectl, await buildDeployment(context));
    const timeout = variables.DEPLOY_TIMEOUT;
    // A dry run applies nothing, so it has no objects to wait for.
    if (runner.dryRun) return kubectl.run(["rollout", "status", "deployment", `--timeout=${timeout}`]);
    const failed = await waitUntilReady(kubectl, objects, { timeout, print });
    if (failed.length === 0) return;
    throw new TaskError("rollout-failed", `rollout failed: ${failed.join(", ")}`, {
      hint: "fix the reasons above, then run scaffold deploy again",
    });
  },
};

/** `scaffold undeploy` */
export const undeploy: Task = {
  description:
    "Delete everything that deploy applied, including the CRDs and all objects of these kinds. Refuses if objects have finalizers, which only the manager can remove.",
  variables: ["KUBECTL", "KUSTOMIZE", "IGNORE_NOT_FOUND", "FORCE"],
  flags: ["ignore-not-found", "force"],
  async run(context) {
    const { variables, print } = context;
    const kubectl = kubectlOf(context);
    const manifests = await buildDeployment(context);
    const names = manifests.matchAll(/^kind: CustomResourceDefinition\nmetadata:\n(?: {2}.*\n)*? {2}name: (.+)$/gm);
    const held = await heldObjects(
      kubectl,
      Array.from(names, ([, name = ""]) => name),
    );
    if (held.length > 0 && variables.FORCE !== "true") {
      const list = held.map((object) => `  ${describeHeld(object)}`).join("\n");
      throw new TaskError(
        "objects-held",
        `can't undeploy: these objects have finalizers, which only the manager can remove:\n${list}`,
        { hint: "delete the objects first (kubectl delete), or set FORCE=true (--force) to remove the finalizers" },
      );
    }
    for (const object of held) {
      print(`removing finalizers of ${describeHeld(object)}\n`);
      await removeFinalizers(kubectl, object);
    }
    await remove(kubectl, manifests, variables.IGNORE_NOT_FOUND === "true");
  },
};

/** `scaffold build-installer` */
export const buildInstaller: Task = {
  description: "Update the manifests and write everything that deploy applies to dist/install.yaml.",
  variables: ["IMG", "KUBECTL", "KUSTOMIZE"],
  async run(context) {
    await context.generate();
    context.runner.write("dist/install.yaml", await buildDeployment(context));
  },
};
