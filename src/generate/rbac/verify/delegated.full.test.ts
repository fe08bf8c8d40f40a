import { describe, expect, test } from "vitest";
import { findingsOf } from "./test-support/findings.ts";

const rbac = "groups=rbac.authorization.k8s.io";
const types = `import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@kubewright/runtime/api/rbac/v1";
const apiGroup = "rbac.authorization.k8s.io";
const metadata = { name: "game", namespace: "a" };
`;
const writes = `// +kubebuilder:rbac:${rbac},resources=roles;rolebindings;clusterroles;clusterrolebindings,verbs=get;create;update;patch\n`;

/** Returns the findings for code with permissions to write roles and bindings, and other markers. */
async function findings(code: string, markers: readonly string[] = [], more: Record<string, string> = {}) {
  const own = markers.map((marker) => `// +kubebuilder:rbac:${marker}\n`).join("");
  const diagnostics = await findingsOf(`${types}${writes}${own}\n${code}\n`, more);
  return diagnostics.filter(({ id, message }) => id !== "rbac-unneeded" || !message.includes("clusterrolebindings"));
}

const binding = (kind: string, name: string) =>
  `await client.create({ ...RoleBinding, metadata, roleRef: { apiGroup, kind: "${kind}", name: "${name}" } } as RoleBinding);`;
const role = (rules: string) => `await client.create({ metadata, rules: ${rules} } as Role);`;
const podReader = '[{ apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list"] }]';

describe("a binding", () => {
  test("needs bind for a role of Kubernetes", async () => {
    expect(await findings(binding("ClusterRole", "view"))).toMatchObject([
      {
        id: "rbac-missing",
        message: expect.stringContaining(
          "client.create: the role contains permissions that no marker allows: those of view.",
        ),
        hint: expect.stringContaining(
          `\`// +kubebuilder:rbac:${rbac},resources=clusterroles,resourceNames=view,verbs=bind\``,
        ),
      },
    ]);
    expect(
      await findings(binding("ClusterRole", "view"), [`${rbac},resources=clusterroles,resourceNames=view,verbs=bind`]),
    ).toEqual([]);
    expect(
      await findings(binding("ClusterRole", "view"), [`${rbac},resources=clusterroles,resourceNames=edit,verbs=bind`]),
    ).toMatchObject([{ id: "rbac-missing" }]);
  });

  const manifest = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: player }
rules:
- { apiGroups: [""], resources: [pods], verbs: [get, list] }
`;
  test("needs the permissions of a role in the project", async () => {
    const more = { "config/rbac/player.yaml": manifest };
    const code = binding("ClusterRole", "player");
    const has = "groups=core,resources=pods,verbs=get;list";
    expect(await findings(code, [has], more)).toEqual([]);
    expect(await findings(code, ["groups=core,resources=pods,verbs=get"], more)).toMatchObject([
      { id: "rbac-missing", message: expect.stringContaining("that no marker allows: list of pods.") },
    ]);
  });

  test("needs the permissions of a role in the project, also with wildcards, for all names, or bind", async () => {
    const more = { "config/rbac/player.yaml": manifest };
    const code = binding("ClusterRole", "player");
    expect(await findings(code, ["groups=core,resources=pods,verbs=*"], more)).toEqual([]);
    expect(await findings(code, ["groups=*,resources=*,verbs=*"], more)).toEqual([]);
    expect(await findings(code, ["groups=core,resources=pods,resourceNames=a,verbs=get;list"], more)).toMatchObject([
      { id: "rbac-missing" },
    ]);
    expect(await findings(code, [`${rbac},resources=clusterroles,verbs=bind`], more)).toEqual([]);
  });

  test("of a role that isn't known is reported, and the only reason why unneeded permissions aren't", async () => {
    const unneeded = "groups=core,resources=secrets,verbs=delete";
    const code = binding("ClusterRole", "unknown-role");
    expect(await findings(code, [unneeded])).toEqual([
      {
        id: "rbac-unknown-role",
        at: "7:14",
        message:
          "client.create: can't determine the permissions of the bound role, so permissions that no code needs aren't reported",
        hint: `make sure that markers allow all of them, because the API server requires it, or add \`// +kubebuilder:rbac:${rbac},resources=clusterroles,resourceNames=unknown-role,verbs=bind\``,
      },
    ]);
  });

  test("of a role that isn't known isn't reported with permission to bind all roles of its kind", async () => {
    const unneeded = "groups=core,resources=secrets,verbs=delete";
    const code = binding("ClusterRole", "unknown-role");
    expect(await findings(code, [unneeded, `${rbac},resources=clusterroles,verbs=bind`])).toMatchObject([
      { id: "rbac-unneeded", message: "no code needs permissions for secrets" },
    ]);
    const computed =
      "declare const roleRef: RoleBinding['roleRef'];\nawait client.create({ metadata, roleRef } as RoleBinding);";
    expect(await findings(computed)).toMatchObject([{ id: "rbac-unknown-role" }]);
    expect(await findings(computed, [`${rbac},resources=roles;clusterroles,verbs=bind`])).toEqual([]);
    expect(await findings(computed, [`${rbac},resources=roles,verbs=bind`])).toMatchObject([
      { id: "rbac-unknown-role" },
    ]);
  });

  test("is found in the function of createOrUpdate", async () => {
    const code = `await createOrUpdate(client, { metadata } as RoleBinding, (found) => {
  found.roleRef = { apiGroup, kind: "ClusterRole", name: "cluster-admin" };
});`;
    expect(await findings(code)).toMatchObject([
      { id: "rbac-missing", message: expect.stringContaining("those of cluster-admin.") },
    ]);
  });
});

describe("a role", () => {
  test("needs its own permissions, or escalate", async () => {
    expect(await findings(role(podReader))).toMatchObject([
      {
        id: "rbac-missing",
        message: expect.stringContaining("get of pods, list of pods, get of pods/log and 1 more."),
        hint: expect.stringContaining(`${rbac},resources=roles,verbs=escalate`),
      },
    ]);
    expect(await findings(role(podReader), ["groups=core,resources=pods;pods/log,verbs=get;list"])).toEqual([]);
    expect(await findings(role(podReader), [`${rbac},resources=roles,verbs=escalate`])).toEqual([]);
  });

  test("for the cluster needs permissions in the cluster", async () => {
    // Permissions in a namespace don't permit delegating them in the cluster.
    const cluster = `await client.create({ metadata: { name: "game" }, rules: ${podReader} } as ClusterRole);`;
    expect(await findings(cluster, ["groups=core,resources=pods;pods/log,verbs=get;list,namespace=a"])).toMatchObject([
      { id: "rbac-missing" },
    ]);
  });

  test("needs escalate for its name if it exists or is applied", async () => {
    const named = [`${rbac},resources=roles,resourceNames=game,verbs=escalate`];
    const apply = `await client.apply({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules: ${podReader} }, { fieldOwner: "x" });`;
    expect(await findings(apply, named)).toEqual([]);
    expect(await findings(role(podReader), named)).toMatchObject([{ id: "rbac-missing" }]);
  });

  test("with paths needs them, too", async () => {
    const code =
      'await client.create({ metadata: { name: "game" }, rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }] } as ClusterRole);';
    expect(await findings(code)).toMatchObject([{ message: expect.stringContaining("get of /metrics.") }]);
    expect(await findings(code, ["urls=/metrics,verbs=get"])).toEqual([]);
    expect(await findings(code, ["urls=/*,verbs=get"])).toEqual([]);
  });

  test("keeps the permissions that it delegates, and others are reported as unneeded", async () => {
    const markers = ["groups=core,resources=pods;pods/log,verbs=get;list", "groups=core,resources=secrets,verbs=get"];
    const both = `${role(podReader)}\n${binding("Role", "game")}`;
    expect(await findings(both, markers)).toMatchObject([
      { id: "rbac-unneeded", message: "no code needs permissions for secrets" },
    ]);
  });

  test("whose rules aren't literals is reported", async () => {
    const code = "declare const rules: Role['rules'];\nawait client.create({ metadata, rules } as Role);";
    expect(await findings(code)).toMatchObject([
      { id: "rbac-unknown-role", message: expect.stringContaining("can't determine the rules of the role") },
    ]);
    expect(await findings(code, [`${rbac},resources=roles,verbs=escalate`])).toEqual([]);
  });
});

test("bind and escalate are unneeded if the code writes no roles", async () => {
  const diagnostics = await findingsOf(
    `// +kubebuilder:rbac:${rbac},resources=roles,verbs=bind;escalate\n// +kubebuilder:rbac:groups=core,resources=pods,verbs=get\n\nawait client.get(Pod, key);\n`,
  );
  expect(diagnostics).toMatchObject([{ id: "rbac-unneeded", hint: "remove the marker" }]);
});

describe("the signer of a CertificateSigningRequest", () => {
  const csr =
    'import { CertificateSigningRequest } from "@kubewright/runtime/api/certificates/v1";\ndeclare const csr: CertificateSigningRequest;\n';
  const requests = "groups=certificates.k8s.io,resources=certificatesigningrequests";
  const signings = [
    ["approve", "approval", "await client.subResource('approval').update(csr);"],
    ["sign", "status", "await client.status.update(csr);"],
  ] as const;
  test.each(signings)("needs %s for the subresource %s", async (verb, subresource, code) => {
    const own = `// +kubebuilder:rbac:${requests}/${subresource},verbs=update\n`;
    expect(await findingsOf(`${csr}${own}\n${code}\n`)).toMatchObject([
      {
        id: "rbac-missing",
        hint: expect.stringContaining(`groups=certificates.k8s.io,resources=signers,verbs=${verb}`),
      },
    ]);
    const signer = `// +kubebuilder:rbac:groups=certificates.k8s.io,resources=signers,resourceNames=example.com/*,verbs=${verb}\n`;
    expect(await findingsOf(`${csr}${own}${signer}\n${code}\n`)).toEqual([]);
    expect(
      await findingsOf(`${csr}${own}${signer}${signer.replace(verb, "attest;approve;sign")}\n${code}\n`),
    ).toMatchObject([{ id: "rbac-unneeded" }]);
  });
});
