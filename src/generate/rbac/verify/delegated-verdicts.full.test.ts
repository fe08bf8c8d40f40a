// The API server refuses exactly the roles and bindings that `rbac:verify=true` reports.

import { createTransport } from "@kubewright/runtime";
import { beforeAll, describe, expect, it } from "vitest";
import { startApiServer } from "../../test-support/api-server.ts";
import { findingsOf } from "./test-support/findings.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const apiGroup = "rbac.authorization.k8s.io";
const api = `/apis/${apiGroup}/v1`;
const server = startApiServer();
const pods = (...verbs: string[]): Rule => ({ apiGroups: [""], resources: ["pods"], verbs });
const delegating = (verb: string, ...resourceNames: string[]): Rule => ({
  apiGroups: [apiGroup],
  resources: ["roles", "clusterroles"],
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
  verbs: [verb],
});
const always: Rule = {
  apiGroups: [apiGroup],
  resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
  verbs: ["create", "update", "patch", "get"],
};
const playerRole = { name: "player", rules: [pods("get", "list")] };

const role = { kind: "Role", rules: playerRole.rules };
const clusterRole = { kind: "ClusterRole", rules: playerRole.rules };
const toBuiltIn = { kind: "RoleBinding", roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" } };
const toKnown = { kind: "RoleBinding", roleRef: { apiGroup, kind: "ClusterRole", name: playerRole.name } };
const toKnownEverywhere = { ...toKnown, kind: "ClusterRoleBinding" };

const cases: [name: string, granted: readonly Rule[], written: { kind: string }, isAllowed: boolean][] = [
  ["a role with the same rules", [pods("get", "list")], role, true],
  ["a role with all verbs", [pods("*")], role, true],
  ["a role with more verbs", [pods("get")], role, false],
  ["a role with rules for one name only", [{ ...pods("get", "list"), resourceNames: ["a"] }], role, false],
  ["a role with escalate", [delegating("escalate")], role, true],
  ["a new role with escalate for its name", [delegating("escalate", "written")], role, false],
  ["a role with escalate for another name", [delegating("escalate", "other")], role, false],
  ["a role with bind", [delegating("bind")], role, false],
  ["a ClusterRole with the same rules", [pods("get", "list")], clusterRole, true],
  ["a ClusterRole without", [], clusterRole, false],
  ["a binding with the role's rules", [pods("get", "list")], toKnown, true],
  ["a binding without", [pods("list")], toKnown, false],
  ["a binding with bind", [delegating("bind")], toKnown, true],
  ["a binding with bind for the role's name", [delegating("bind", playerRole.name)], toKnown, true],
  ["a binding with bind for another name", [delegating("bind", "other")], toKnown, false],
  ["a binding with escalate", [delegating("escalate")], toKnown, false],
  ["a ClusterRoleBinding with the role's rules", [pods("get", "list")], toKnownEverywhere, true],
  ["a ClusterRoleBinding with bind", [delegating("bind", playerRole.name)], toKnownEverywhere, true],
  ["a binding of a built-in role", [pods("get")], toBuiltIn, false],
  ["a binding of a built-in role with bind", [delegating("bind", "cluster-admin")], toBuiltIn, true],
];

beforeAll(async () => {
  const body = {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRole",
    metadata: { name: playerRole.name },
    rules: playerRole.rules,
  };
  await server.send({ method: "POST", path: `${api}/clusterroles`, body });
});

/** Sends the write as a user with the rules. */
async function isAllowedByServer(user: string, rules: readonly Rule[], written: { kind: string }): Promise<boolean> {
  const apiVersion = `${apiGroup}/v1`;
  const create = (kind: string, body: object) =>
    server.send({ method: "POST", path: `${api}/${kind}s`, body: { apiVersion, metadata: { name: user }, ...body } });
  await create("clusterrole", { kind: "ClusterRole", rules });
  const roleRef = { apiGroup, kind: "ClusterRole", name: user };
  await create("clusterrolebinding", {
    kind: "ClusterRoleBinding",
    roleRef,
    subjects: [{ apiGroup, kind: "User", name: user }],
  });
  const transport = createTransport({ ...server.environment.config, impersonate: { userName: user } });
  const scope = written.kind.startsWith("Cluster") ? "" : "/namespaces/default";
  const path = `${api}${scope}/${written.kind.toLowerCase()}s`;
  const body = { apiVersion, metadata: { name: "written" }, ...written };
  const post = () => transport.request({ method: "POST", path, body, query: { dryRun: "All" } });
  try {
    // The authorizer reads new bindings a moment later: until then, the request itself is forbidden.
    let refusal = "";
    await expect
      .poll(async () => {
        refusal = await post().then(
          () => "",
          (error: Error) => error.message,
        );
        return refusal;
      })
      .not.toMatch(/cannot create resource/);
    if (refusal !== "") expect(refusal).toMatch(/attempting to grant RBAC permissions not currently held/);
    return refusal === "";
  } finally {
    await transport.close();
  }
}

/** Verifies code that sends the write, with markers for the rules. */
async function isAllowedByVerify(rules: readonly Rule[], written: { kind: string }): Promise<boolean> {
  const markers = rules.map(({ apiGroups, resources, resourceNames, verbs }) => {
    const names = resourceNames ? `,resourceNames=${resourceNames.join(";")}` : "";
    return `// +kubebuilder:rbac:groups=${apiGroups.join(";") || "core"},resources=${resources.join(";")}${names},verbs=${verbs.join(";")}\n`;
  });
  const object = JSON.stringify({ apiVersion: `${apiGroup}/v1`, metadata: { name: "written" }, ...written });
  const manifest = `apiVersion: ${apiGroup}/v1\nkind: ClusterRole\nmetadata: { name: ${playerRole.name} }\nrules: ${JSON.stringify(playerRole.rules)}\n`;
  const findings = await findingsOf(`${markers.join("")}\nawait client.create(${object} as KubernetesObject);\n`, {
    "config/rbac/player.yaml": manifest,
  });
  expect(findings.filter(({ id }) => id !== "rbac-missing" && id !== "rbac-unneeded")).toEqual([]);
  return findings.every(({ id }) => id !== "rbac-missing");
}

describe("delegated permissions", () => {
  it.each(cases)("%s", async (name, granted, written, isAllowed) => {
    const user = name.replace(/\W+/g, "-").toLowerCase();
    const rules = [...granted, always];
    expect(await isAllowedByServer(user, rules, written)).toBe(isAllowed);
    expect(await isAllowedByVerify(rules, written)).toBe(isAllowed);
  });
});
