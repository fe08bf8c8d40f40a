import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readValues } from "../yaml/values.ts";

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

/** Returns the ServiceAccount of the manager in `config/default`, or undefined if the files don't name one. */
export function accountOfProject(root: string): Account | undefined {
  const overlay = documentsIn(join(root, "config", "default", "kustomization.yaml"))[0] as
    | { namespace?: unknown; namePrefix?: unknown; nameSuffix?: unknown }
    | undefined;
  const manager = documentsIn(join(root, "config", "manager", "manager.yaml")).find(
    (document) => (document as { kind?: unknown } | undefined)?.kind === "Deployment",
  ) as { spec?: { template?: { spec?: { serviceAccountName?: unknown } } } } | undefined;
  const name = manager?.spec?.template?.spec?.serviceAccountName;
  if (typeof name !== "string" || typeof overlay?.namespace !== "string") return undefined;
  const [prefix, suffix] = [overlay.namePrefix, overlay.nameSuffix].map((part) =>
    typeof part === "string" ? part : "",
  );
  return { namespace: overlay.namespace, name: `${prefix}${name}${suffix}` };
}

function documentsIn(path: string): unknown[] {
  return existsSync(path) ? [...readValues(readFileSync(path, "utf8"))] : [];
}
