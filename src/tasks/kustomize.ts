import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TaskContext } from "./task.ts";
import { TaskError } from "./task-error.ts";

/** Builds the manifests of a directory with kustomize. */
function build(directory: string, { runner, variables }: TaskContext): Promise<string> {
  const { KUSTOMIZE, KUBECTL } = variables;
  const [program = KUBECTL, ...args] = KUSTOMIZE === "" ? [KUBECTL, "kustomize"] : KUSTOMIZE.trim().split(/\s+/);
  return runner.capture(program, [...args, directory]);
}

/** Builds the manifests of config/default with the image IMG. Uses an overlay in dist/, so that tracked files don't change. */
export async function buildDeployment(context: TaskContext): Promise<string> {
  const patch = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: context.variables.IMG }];
  const overlay = {
    resources: ["../../config/default"],
    patches: [{ target: { kind: "Deployment", name: "controller-manager" }, patch: JSON.stringify(patch) }],
  };
  context.runner.write("dist/deploy/kustomization.yaml", JSON.stringify(overlay, null, 2));
  return build("dist/deploy", context);
}

/**
 * Builds the manifests of the CRDs.
 *
 * @returns undefined if the project has none
 * @throws TaskError if CRDs exist, but not their kustomization.yaml
 */
export async function buildCrds(context: TaskContext): Promise<string | undefined> {
  const list = "config/crd/kustomization.yaml";
  if (existsSync(join(context.root, list))) return build("config/crd", context);
  const bases = join(context.root, "config/crd/bases");
  if (existsSync(bases) && readdirSync(bases).length > 0) {
    throw new TaskError("missing-file", `can't build the CRDs: ${list} is missing`, {
      hint: "restore it from version control",
    });
  }
  context.note("No CRDs found. To add one, run: npx scaffold create api");
  return undefined;
}
