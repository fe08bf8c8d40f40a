// For every combination of options, kustomize must build the same objects from config/ as Helm from the chart. Needs
// Go, for Helm.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildHelm, type Helm } from "../../scripts/test-support/helm.ts";
import { kustomize } from "../../scripts/test-support/manifests.ts";
import { runCli } from "../../src/cli/test-support/run-cli.ts";
import type { Option } from "../../src/scaffold/parts/config-options.ts";
import { manifestsOptions } from "../../src/scaffold/parts/versions.ts";
import { createApi, createWebhook, initProject } from "../../src/scaffold/test-support/game.ts";
import { baseOf, choices, choose, nameOf } from "../kustomize/choices.ts";
import { comparable } from "./compare.ts";

const testdata = fileURLToPath(new URL("../../testdata/kubebuilder", import.meta.url));
const projects: readonly { name: string; init: object; calls: readonly { argv: string }[] }[] = JSON.parse(
  readFileSync(join(testdata, "projects.json"), "utf8"),
);

const crdKustomization = "config/crd/kustomization.yaml";
const scratch = mkdtempSync(join(tmpdir(), "kubewright-chart-"));
let helm: Helm;
beforeAll(async () => {
  helm = await buildHelm(join(scratch, "helm"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function cli(root: string, ...args: string[]): Promise<void> {
  const end = await runCli(root, args);
  expect(end, args.join(" ")).toMatchObject({ code: 0 });
}

const manifests = (root: string) => cli(root, "generate", ...manifestsOptions.split(" "));
const valueFor: Readonly<Record<Option, string>> = {
  webhook: "webhook.enabled",
  "cert-manager": "certManager.enabled",
  "metrics-certs": "metrics.certManager",
  prometheus: "prometheus.enabled",
  "network-policy": "networkPolicy.enabled",
  sharding: "sharding.enabled",
};

/** Renders the chart with the release name and namespace that correspond to kustomize's prefix and namespace. */
function render(root: string, name: string, ...values: string[]): Promise<string> {
  const set = values.flatMap((value) => ["--set", value]);
  return helm.run(root, "template", name, "chart", "--namespace", `${name}-system`, ...set);
}

/** Comments the conversion patches out without webhooks, as `edit --disable webhook` and the chart do. */
function chooseConversion(root: string, before: string, withWebhooks: boolean): void {
  const text = withWebhooks ? before : before.replace(/^- path: patches\/webhook_in_/gm, "#$&");
  writeFileSync(join(root, crdKustomization), text);
}

describe.each(projects)("$name", ({ name, init, calls }) => {
  const root = join(scratch, name);

  beforeAll(async () => {
    mkdirSync(root);
    const repo = `sigs.k8s.io/kubebuilder/testdata/${name}`;
    await initProject(root, { projectName: name, domain: "testproject.org", repo, ...init });
    for (const { argv } of calls) await cli(root, ...argv.split(" "));
    await manifests(root);
    await cli(root, "edit", "--helm");
  });

  it("has a chart that passes helm lint", async () => {
    expect(await helm.run(root, "lint", "chart", "--strict")).toContain("0 chart(s) failed");
  });

  it("has a chart with the same objects as kustomize's build", async () => {
    expect(comparable(await render(root, name))).toEqual(comparable(kustomize(root)));
  });

  it("has a chart with the same objects for each combination of options, and after edits of config/", async () => {
    const base = baseOf(root);
    const conversion = readFileSync(join(root, crdKustomization), "utf8");
    const some = name === "project-v4" ? choices : choices.filter(({ length }) => length === 5);
    for (const choice of some) {
      const values = Object.entries(valueFor).map(([option, value]) => `${value}=${choice.includes(option as Option)}`);
      const has = readFileSync(join(root, "chart/values.yaml"), "utf8");
      const known = values.filter((value) => has.includes(`\n${value.split(".")[0]}:`));
      choose(root, base, choice);
      chooseConversion(root, conversion, choice.includes("webhook"));
      const expected = comparable(kustomize(root));
      expect(comparable(await render(root, name, ...known)), nameOf(choice)).toEqual(expected);
    }
    await cli(root, "edit", "--helm");
    const [last = []] = some.slice(-1);
    expect(comparable(await render(root, name)), `${nameOf(last)} by default`).toEqual(comparable(kustomize(root)));
  });
});

describe.each(["self", "files"] as const)("a project with webhook certificates %s", (webhookCerts) => {
  const root = join(scratch, webhookCerts);

  it("has a chart with the same objects as kustomize's build, with and without webhooks", async () => {
    mkdirSync(root);
    await initProject(root, { projectName: webhookCerts, webhookCerts });
    await createApi(root);
    await createWebhook(root, { defaulting: true, validation: true, conversion: true });
    await manifests(root);
    await cli(root, "edit", "--helm");
    expect(comparable(await render(root, webhookCerts))).toEqual(comparable(kustomize(root)));
    const without = comparable(await render(root, webhookCerts, "webhook.enabled=false", "prometheus.enabled=true"));
    await cli(root, "edit", "--disable", "webhook", "--enable", "prometheus");
    expect(without).toEqual(comparable(kustomize(root)));
  });
});

describe("a namespaced project with several groups", () => {
  const root = join(scratch, "multi");

  beforeAll(async () => {
    mkdirSync(root);
    await initProject(root, { projectName: "multi", multigroup: true, namespaced: true });
    for (const group of ["ship", "crew.pay"]) {
      await createApi(root, { group, kind: "Log" });
      await createWebhook(root, { group, kind: "Log", validation: true, defaulting: true });
    }
    await cli(root, "edit", "--helm");
    await manifests(root);
  });

  it("has a chart with kustomize's objects, even if the manifests were generated after the chart", async () => {
    expect(comparable(await render(root, "multi"))).toEqual(comparable(kustomize(root)));
  });

  it("has ClusterRoles if the manager watches other namespaces", async () => {
    const objects = comparable(await render(root, "multi", "rbac.namespaced=false"));
    expect(objects["ClusterRole multi-manager-role"]).toBeDefined();
    expect(objects["ClusterRoleBinding multi-manager-rolebinding"]).toMatchObject({ roleRef: { kind: "ClusterRole" } });
    expect(objects["Role multi-system/multi-leader-election-role"]).toBeDefined();
    expect(Object.keys(objects).filter((key) => /^Role/.test(key) && !key.includes("leader"))).toEqual([]);
  });

  it("keeps a ClusterRole apart from the namespaced role with its name", async () => {
    const other = join(scratch, "both");
    mkdirSync(other);
    await initProject(other, { projectName: "both", namespaced: true });
    const role = readFileSync(join(other, "config/rbac/role.yaml"), "utf8");
    const inCluster = role.replace(/^kind: .*$/m, "kind: ClusterRole").replace(/^ {2}namespace: .*\n/m, "");
    writeFileSync(join(other, "config/rbac/role.yaml"), `${role}---\n${inCluster}`);
    await cli(other, "edit", "--helm");
    expect(comparable(await render(other, "both"))).toEqual(comparable(kustomize(other)));
    const objects = comparable(await render(other, "both", "rbac.namespaced=false"));
    expect(objects["ClusterRole both-manager-role"]).toBeDefined();
    expect(objects["ClusterRole both-manager-role-namespaced"]).toBeDefined();
    expect(objects["ClusterRoleBinding both-manager-rolebinding"]).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "both-manager-role-namespaced" },
    });
  });

  it("names all objects after the release, with valid names for any release name", async () => {
    const text = await helm.run(root, "template", "123", "chart", "--namespace", "456");
    const objects = comparable(text);
    expect(objects["Deployment 456/123-multi-controller-manager"]).toMatchObject({
      spec: { template: { spec: { serviceAccountName: "123-multi-controller-manager" } } },
    });
    expect(text).not.toContain("multi-system");
    const long = "a".repeat(53);
    const names = Object.values(comparable(await helm.run(root, "template", long, "chart"))).map(
      ({ metadata }) => (metadata as { name: string }).name,
    );
    expect(names.filter((each) => each.length > 63)).toEqual([]);
    expect(new Set(names).size).toBeGreaterThan(15);
  });

  it("applies the values of the chart", async () => {
    const [key, sets] = ["Deployment multi-system/multi-controller-manager", "manager."];
    const values = [
      ...[`${sets}replicas=0`, `${sets}image.repository=localhost:5000/x@sha256:abc`, `${sets}image.pullPolicy=Never`],
      ...[`${sets}args={--leader-elect,--zap-log-level=debug}`, `${sets}envOverrides.NODE_OPTIONS=--inspect`],
      ...[`${sets}nodeSelector.disk=ssd`, `${sets}tolerations[0].operator=Exists`, `${sets}pod.labels.team=a`],
      ...[
        `${sets}extraVolumes[0].name=tmp`,
        `${sets}extraVolumeMounts[0].name=tmp`,
        `${sets}extraVolumeMounts[0].mountPath=/tmp`,
      ],
      ...[`${sets}priorityClassName=high`, `${sets}healthProbe.port=9999`, "metrics.port=7443", "webhook.port=7444"],
    ];
    const objects = comparable(await render(root, "multi", ...values, "networkPolicy.enabled=true"));
    // biome-ignore lint/suspicious/noExplicitAny: the test reads deeply nested fields.
    const { spec } = objects[key] as any;
    const [container] = spec.template.spec.containers;
    expect(spec.replicas).toBe(0);
    expect(spec.template.metadata.labels.team).toBe("a");
    expect(container).toMatchObject({ image: "localhost:5000/x@sha256:abc", imagePullPolicy: "Never" });
    expect(container.args).toEqual(
      expect.arrayContaining(["--zap-log-level=debug", "--metrics-bind-address=:7443", "--webhook-port=7444"]),
    );
    expect(container.env.filter(({ name }: { name: string }) => name === "NODE_OPTIONS")).toEqual([
      { name: "NODE_OPTIONS", value: "--inspect" },
    ]);
    expect(container.readinessProbe.httpGet.port).toBe(9999);
    expect(spec.template.spec).toMatchObject({ nodeSelector: { disk: "ssd" }, priorityClassName: "high" });
    expect(container.volumeMounts).toContainEqual({ name: "tmp", mountPath: "/tmp" });
    expect(objects["Service multi-system/multi-webhook-service"]).toMatchObject({
      spec: { ports: [{ port: 443, targetPort: 7444 }] },
    });
    expect(objects["NetworkPolicy multi-system/multi-allow-webhook-traffic"]).toMatchObject({
      spec: { ingress: [{ ports: [{ port: 7444 }] }] },
    });
  });

  it("removes disabled parts and the objects that depend on them", async () => {
    const keys = async (...values: string[]) => Object.keys(comparable(await render(root, "multi", ...values)));
    const kinds = (all: string[]) => new Set(all.map((key) => key.split(" ")[0]));
    expect(kinds(await keys("crd.enabled=false"))).not.toContain("CustomResourceDefinition");
    expect(kinds(await keys("manager.enabled=false"))).not.toContain("Deployment");
    expect((await keys("rbac.helpers.enabled=false")).filter((key) => /admin|editor|viewer/.test(key))).toEqual([]);
    const plainHttp = comparable(await render(root, "multi", "metrics.secure=false", "prometheus.enabled=true"));
    expect(Object.keys(plainHttp).filter((key) => key.includes("metrics-auth"))).toEqual([]);
    expect(plainHttp["ServiceMonitor multi-system/multi-controller-manager-metrics-monitor"]).toMatchObject({
      spec: { endpoints: [{ path: "/metrics", port: "http", scheme: "http" }] },
    });
    const none = await render(root, "multi", "metrics.enabled=false", "webhook.enabled=false");
    expect(none).not.toMatch(/metrics-|cert-manager\.io\/|--webhook|WebhookConfiguration/);
    expect(await render(root, "multi", "crd.keep=false")).not.toContain("helm.sh/resource-policy");
    const account = comparable(await render(root, "multi", "serviceAccount.enabled=false", "serviceAccount.name=mine"));
    expect(Object.keys(account).filter((key) => key.startsWith("ServiceAccount"))).toEqual([]);
    expect(account["RoleBinding multi-system/multi-manager-rolebinding"]).toMatchObject({
      subjects: [{ name: "mine" }],
    });
    const unnamed = await helm.attempt(root, "template", "multi", "chart", "--set", "serviceAccount.enabled=false");
    expect(unnamed.stderr).toContain("serviceAccount.name is required");
  });

  it.each([
    ["an unknown value", "manager.replica=1"],
    ["an unknown section", "managers.replicas=1"],
    ["a string for a number", "manager.replicas=many"],
    ["a negative number of replicas", "manager.replicas=-1"],
    ["a port above 65535", "webhook.port=70000"],
    ["a string for a boolean", "prometheus.enabled=yes-please"],
    ["an unknown pull policy", "manager.image.pullPolicy=Sometimes"],
    ["an empty image", "manager.image.repository="],
    ["a variable without name", "manager.env[0].value=x"],
    ["an absent section", "webhook=null"],
  ])("rejects %s", async (_, value) => {
    const { code, stderr } = await helm.attempt(root, "template", "multi", "chart", "--set", value);
    expect(stderr).toMatch(/don't meet the specifications of the schema/);
    expect(code).toBe(1);
  });

  it("keeps values that a user changed when it adds new ones", async () => {
    const file = join(root, "chart/values.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("replicas: 1", "replicas: 3 # we are many"));
    await cli(root, "edit", "--helm", "--enable", "prometheus");
    expect(readFileSync(file, "utf8")).toMatch(/replicas: 3 # we are many/);
    const objects = comparable(await render(root, "multi"));
    expect(objects["Deployment multi-system/multi-controller-manager"]).toMatchObject({ spec: { replicas: 3 } });
    expect(objects["ServiceMonitor multi-system/multi-controller-manager-metrics-monitor"]).toBeDefined();
  });
});
