import { existsSync } from "node:fs";
import type { KubernetesObject } from "../api/index.ts";
import type { ClusterRole, Role } from "../api/rbac/v1.ts";
import { isAlreadyExists } from "../errors/predicates.ts";
import { readManifests } from "../manifests/manifests.ts";
import type { Transport } from "../transport/transport.ts";
import { install } from "./objects/install.ts";

const group = "rbac.authorization.k8s.io";
const apiVersion = `${group}/v1`;

/**
 * Returns the Roles and ClusterRoles in files and directories.
 *
 * @throws an `Error` that contains the path of a file that is unreadable, or has other objects
 */
export function readRoles(paths: readonly string[]): (Role | ClusterRole)[] {
  return paths.flatMap((path) => {
    if (!existsSync(path)) throw new Error(`${path}: no such file or directory (rolePaths)`);
    const roles = readManifests(path).filter(({ value }) => value !== null);
    for (const { file, value } of roles) {
      const { apiVersion: version, kind, metadata } = value as Partial<KubernetesObject>;
      const isRole = version === apiVersion && (kind === "Role" || kind === "ClusterRole");
      if (!isRole)
        throw new Error(`${file}: ${kind ?? "a document without a kind"} isn't a Role or ClusterRole (rolePaths)`);
      if (!metadata?.name) throw new Error(`${file}: ${kind} has no name (rolePaths)`);
      if (kind === "Role" && !metadata.namespace)
        throw new Error(`${file}: Role ${metadata.name} has no namespace (rolePaths)`);
    }
    return roles.map(({ value }) => value as Role | ClusterRole);
  });
}

/** Creates roles, with the namespaces that contain them, and binds a user to each. */
export async function bindRoles(
  transport: Transport,
  user: string,
  roles: readonly (Role | ClusterRole)[],
): Promise<void> {
  for (const role of roles) {
    const { name = "", namespace } = role.metadata ?? {};
    if (namespace !== undefined) await createNamespace(transport, namespace);
    const within = namespace === undefined ? `/apis/${apiVersion}` : `/apis/${apiVersion}/namespaces/${namespace}`;
    await install(transport, `${within}/${role.kind.toLowerCase()}s`, role, `${role.kind} ${name}`);
    const body = {
      apiVersion,
      kind: `${role.kind}Binding`,
      metadata: { generateName: `${name}-`, namespace },
      roleRef: { apiGroup: group, kind: role.kind, name },
      subjects: [{ apiGroup: group, kind: "User", name: user }],
    };
    await transport.request({ method: "POST", path: `${within}/${role.kind.toLowerCase()}bindings`, body });
  }
}

async function createNamespace(transport: Transport, name: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  try {
    await transport.request({ method: "POST", path: "/api/v1/namespaces", body });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
