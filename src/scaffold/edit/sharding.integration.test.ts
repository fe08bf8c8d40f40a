import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fieldsOf, listOf, valueAt } from "../../yaml/plain-values.ts";
import { openTree } from "../files/tree.ts";
import { buildKustomization, openSources } from "../kustomize/build/build.ts";
import { edit } from "../test-support/edit.ts";
import { createApi, initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";

const marks = { namePrefix: "mygame-", namespace: "mygame-system" };

async function project(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

function objectsOf(root: string) {
  const read = (path: string) =>
    path.startsWith("config/crd/bases/") ? "kind: CustomResourceDefinition\n" : openTree(root).readText(path);
  return buildKustomization(openSources(read), "config/default", marks).map(({ object }) => object);
}

function find(root: string, kind: string, name: string) {
  return objectsOf(root).find((object) => object.kind === kind && valueAt(object, "metadata", "name") === name);
}

const managerOf = (root: string) => find(root, "Deployment", "mygame-controller-manager");

it("edit --enable sharding runs two replicas that share the objects, and a rollout that starts the new one first", async () => {
  const root = await project();
  await edit(root, {}, undefined, { enable: ["sharding"], disable: [] });
  const manager = managerOf(root);
  const [container] = listOf(valueAt(manager, "spec", "template", "spec", "containers"));
  expect(listOf(fieldsOf(container).args)).toContain("--sharding");
  expect(valueAt(manager, "spec", "replicas")).toBe(2);
  expect(valueAt(manager, "spec", "strategy")).toEqual({
    type: "RollingUpdate",
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
  });
  expect(valueAt(manager, "spec", "template", "spec", "terminationGracePeriodSeconds")).toBe(45);
});

it("edit --enable sharding adds the permissions for Leases and the disruption budget, and no autoscaler", async () => {
  const root = await project();
  await edit(root, {}, undefined, { enable: ["sharding"], disable: [] });
  expect(find(root, "Role", "mygame-sharding-role")).toMatchObject({
    metadata: { namespace: "mygame-system" },
    rules: [
      {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        verbs: ["get", "list", "watch", "create", "update", "delete"],
      },
    ],
  });
  expect(find(root, "RoleBinding", "mygame-sharding-rolebinding")).toMatchObject({
    roleRef: { name: "mygame-sharding-role" },
    subjects: [{ name: "mygame-controller-manager", namespace: "mygame-system" }],
  });
  const labels = { "control-plane": "controller-manager", "app.kubernetes.io/name": "mygame" };
  expect(find(root, "PodDisruptionBudget", "mygame-controller-manager")).toMatchObject({
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  });
  expect(valueAt(managerOf(root), "spec", "selector", "matchLabels")).toEqual(labels);
  expect(objectsOf(root).filter(({ kind }) => kind === "HorizontalPodAutoscaler")).toEqual([]);
});

it("the autoscaler is an entry of config/sharding that is commented out", async () => {
  const root = await project();
  const kustomization = readFileSync(join(root, "config/sharding/kustomization.yaml"), "utf8");
  expect(kustomization).toContain("\n#- horizontal_pod_autoscaler.yaml\n");
  expect(readFileSync(join(root, "config/sharding/horizontal_pod_autoscaler.yaml"), "utf8")).toContain(
    "averageUtilization: 70",
  );
});

it("edit --disable sharding restores the project", async () => {
  const root = await project();
  const was = snapshot(root);
  await edit(root, {}, undefined, { enable: ["sharding"], disable: [] });
  expect(snapshot(root)).not.toEqual(was);
  await edit(root, {}, undefined, { enable: [], disable: ["sharding"] });
  expect(snapshot(root)).toEqual(was);
});
