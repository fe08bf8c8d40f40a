// `scaffold upgrade` adds safer defaults to a project of an earlier release, and keeps its author's changes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { createApi, initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";
import { upgradeProject } from "./test-support/upgrade.ts";

const role = "config/rbac/leader_election_role.yaml";
const manager = "config/manager/manager.yaml";
const workflow = ".github/workflows/test.yml";

const ruleOfOld = (group: string, resource: string) => `- apiGroups:
  - ${group}
  resources:
  - ${resource}
  verbs:
  - get
  - list
  - watch
  - create
  - update
  - patch
  - delete
`;
const oldRole = `# What electing a leader takes.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels:
    app.kubernetes.io/name: mygame
    app.kubernetes.io/managed-by: kustomize
  name: leader-election-role
rules:
${ruleOfOld('""', "configmaps")}${ruleOfOld("coordination.k8s.io", "leases")}- apiGroups:
  - ""
  resources:
  - events
  verbs:
  - create
  - patch
`;

/** Returns a file as an earlier release rendered it. */
function earlierRelease(path: string, text: string): string {
  if (path === role) return oldRole;
  if (path === manager)
    return text.replace(/^.*"restricted" Pod Security Standard\.\n.*\n.*enforce: restricted\n/m, "");
  if (path === "Dockerfile") {
    return text
      .replace(/^# Images are pinned(.*\n){2}ARG .*\nFROM .*\n/m, "ARG BASE_IMAGE=node:22-bookworm-slim\n")
      .replace(/nodejs22-debian13(:nonroot)@sha256:[0-9a-f]+/, "nodejs22-debian12$1");
  }
  return path === workflow
    ? text.replaceAll(/@[0-9a-f]{40} # v\d.*/g, "@v4").replaceAll(" --ignore-scripts", "")
    : text;
}

it("an upgrade adds safer defaults to an earlier project, and keeps its author's changes", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const edit = (path: string, from: string | RegExp, to: string) => {
    const text = read(path);
    writeFileSync(join(root, path), text.replace(from, to));
    expect(read(path), path).not.toBe(text);
  };
  await upgradeProject(root, earlierRelease);
  expect(read(role)).toBe(oldRole);
  expect(read(manager)).not.toContain("restricted\n  name: system");
  expect(read("Dockerfile")).not.toContain("sha256");
  edit(role, /$/, '- apiGroups:\n  - ""\n  resources:\n  - secrets\n  verbs:\n  - get\n');
  edit(manager, "replicas: 1", "replicas: 3");
  edit("Dockerfile", /$/, "STOPSIGNAL SIGINT\n");
  edit(workflow, "node-version: 22", "node-version: 24");

  expect((await upgradeProject(root)).conflicts).toEqual([]);
  const { rules } = load(read(role)) as { rules: object[] };
  const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
  const [, leaderElectionID] = /leaderElectionID: "(.*)"/.exec(read("src/main.ts")) ?? [];
  expect(rules).toEqual([
    { ...leases, verbs: ["create"] },
    { ...leases, resourceNames: [leaderElectionID], verbs: ["get", "update"] },
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: [""], resources: ["secrets"], verbs: ["get"] },
  ]);
  const [namespace, deployment] = loadAll(read(manager)) as { metadata: { labels: object }; spec?: object }[];
  expect(namespace?.metadata.labels).toMatchObject({ "pod-security.kubernetes.io/enforce": "restricted" });
  expect(deployment?.spec).toMatchObject({ replicas: 3 });
  expect(read("Dockerfile").match(/^FROM \S+@sha256:/gm)).toHaveLength(2);
  expect(read("Dockerfile")).toMatch(/\nSTOPSIGNAL SIGINT\n$/);
  expect(read(workflow)).toMatch(/actions\/checkout@[0-9a-f]{40} # v\d/);
  expect(read(workflow)).toContain("node-version: 24");
});

it("an upgrade reports the Lease that the new Role doesn't allow, if the author renamed it", async () => {
  const root = testDirectory();
  await initProject(root);
  await upgradeProject(root, earlierRelease);
  const main = join(root, "src/main.ts");
  const text = readFileSync(main, "utf8");
  writeFileSync(main, text.replace(/leaderElectionID: ".*"/, 'leaderElectionID: "mine.example.com"'));
  const { conflicts, notes } = await upgradeProject(root);
  expect(conflicts).toEqual([]);
  expect(notes).toEqual([
    `${role} doesn't allow the Lease mine.example.com of src/main.ts: add this leaderElectionID to resourceNames`,
  ]);
  const renamed = readFileSync(join(root, role), "utf8").replace(/- "[0-9a-f]{8}\..*"/, '- "mine.example.com"');
  writeFileSync(join(root, role), renamed);
  expect(await upgradeProject(root)).toMatchObject({ operations: [], notes: [] });
});
