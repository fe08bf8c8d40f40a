import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildKustomization, openSources, type Resource } from "../scaffold/kustomize/build/build.ts";
import { textOf, valueAt } from "../yaml/plain-values.ts";

/** A ServiceAccount. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the name of a ServiceAccount as a user. */
export function userOf({ namespace, name }: Account): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** Returns the groups of a ServiceAccount. */
export function groupsOf({ namespace }: Account): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
}

const managerFile = "config/manager/manager.yaml";

/**
 * Returns the ServiceAccount of the manager in `config/default`, with the patches and prefixes of all kustomizations. Returns
 * undefined if they don't name one.
 *
 * @throws ProblemError if a kustomization can't be built
 */
export function accountOfProject(root: string): Account | undefined {
  if (!existsSync(join(root, "config/default/kustomization.yaml"))) return undefined;
  const read = (path: string): string | undefined => {
    if (existsSync(join(root, path))) return readFileSync(join(root, path), "utf8");
    // Manifests that haven't been generated yet don't name the account.
    return basename(path) === "kustomization.yaml" ? undefined : "";
  };
  const deployments = buildKustomization(openSources(read), "config/default").filter(
    ({ object }) => object.kind === "Deployment",
  );
  const manager = deployments.find(({ origin }) => origin === managerFile) ?? deployments.find(isOfControlPlane);
  if (!manager) return undefined;
  const namespace = textOf(valueAt(manager.object, "metadata", "namespace"));
  const name = textOf(valueAt(manager.object, "spec", "template", "spec", "serviceAccountName"));
  return namespace === "" || name === "" ? undefined : { namespace, name };
}

function isOfControlPlane({ object }: Resource): boolean {
  return textOf(valueAt(object, "metadata", "labels", "control-plane")) !== "";
}
