// Publishes the charts of a project to a registry on this machine, and installs the pulled ones. Needs Go, for Helm and the registry.
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@kubewright/runtime";
import { CustomResourceDefinition } from "@kubewright/runtime/api/apiextensions/v1";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { buildHelm, type Helm } from "../../scripts/test-support/helm.ts";
import { scaffold, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { createApi, initProject } from "../lib/game.ts";

const registryModule = "github.com/distribution/distribution/v3/cmd/registry@v3.0.0";
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-registry-")));
const root = join(scratch, "mygame");
const pulled = join(scratch, "pulled");
let helm: Helm;
let registry: ChildProcess;
let repository: string;
/** The last lines of the list of pushed charts. */
const pushed = () => readFileSync(join(root, "dist/charts/pushed.txt"), "utf8").trimEnd().split("\n");
const push = (env: Record<string, string> = {}) =>
  run(process.execPath, [scaffoldBin, "helm-push", "--", "--plain-http"], {
    cwd: root,
    env: { HELM: join(scratch, "helm"), CHART_REPO: repository, ...env },
  });

beforeAll(async () => {
  helm = await buildHelm(scratch);
  await must("go", ["install", registryModule], { cwd: scratch, env: { GOBIN: join(scratch, "bin") } });
  const port = await freePort();
  repository = `oci://127.0.0.1:${port}/charts`;
  writeFileSync(
    join(scratch, "registry.yaml"),
    `version: 0.1
storage: { filesystem: { rootdirectory: ${join(scratch, "storage")} } }
http: { addr: "127.0.0.1:${port}" }
`,
  );
  registry = spawn(join(scratch, "bin/registry"), ["serve", join(scratch, "registry.yaml")], { stdio: "ignore" });
  await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/v2/`)).ok).toBe(true));
  for (const directory of [root, pulled]) mkdirSync(directory);
  await initProject(root);
  await createApi(root);
  await scaffold(root, "edit", "--enable", "monitoring");
  await scaffold(root, "edit", "--helm", "--crd-chart", "--publish");
  await scaffold(root, "manifests");
});
afterAll(() => {
  registry?.kill();
  rmSync(scratch, { recursive: true, force: true });
});

it("the charts pass helm lint --strict, with and without monitoring", async () => {
  const on = ["--set", "prometheus.rules.enabled=true", "--set", "prometheus.dashboard.enabled=true"];
  await helm.run(root, "lint", "--strict", "chart", "chart-crds");
  await helm.run(root, "lint", "--strict", "chart", ...on);
  for (const chart of ["chart", "chart-crds"]) {
    const { code, stderr } = await helm.attempt(root, "template", "x", chart, "--set", "nonsense=1");
    expect(code).toBe(1);
    expect(stderr).toContain("nonsense");
  }
});

it("monitoring in the chart is what kustomize builds from config/, for the Service of the release", async () => {
  const on = ["--set", "prometheus.rules.enabled=true", "--set", "prometheus.dashboard.enabled=true"];
  const text = await helm.run(root, "template", "mygame", "chart", "--namespace", "mygame-system", ...on);
  const objects = text.split(/^---$/m).map((part) => load(part) as Rendered | undefined);
  const rule = objects.find((object) => object?.kind === "PrometheusRule");
  const file = load(readFileSync(join(root, "config/monitoring/prometheus-rule.yaml"), "utf8")) as Rendered;
  expect(rule?.spec).toEqual(file.spec);
  expect(rule?.metadata).toMatchObject({ name: "mygame-controller-manager-alerts", namespace: "mygame-system" });
  const dashboard = objects.find((object) => object?.metadata?.name === "mygame-controller-manager-dashboard");
  expect(dashboard?.data?.["dashboard.json"]).toBe(
    readFileSync(join(root, "config/monitoring/dashboard.json"), "utf8"),
  );
  const other = await helm.run(root, "template", "shop", "chart", ...on);
  expect(other).toContain('job=\\"shop-mygame-controller-manager-metrics-service\\"');
  expect(await helm.run(root, "template", "mygame", "chart")).not.toContain("PrometheusRule");
});

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

describe("helm-push", () => {
  it("pushes charts, and those that are pulled render the same as the directories", async () => {
    const { code, stderr } = await push();
    expect(code, stderr).toBe(0);
    const [, address = ""] = repository.split("oci://");
    expect(pushed().map((line) => line.replace(/[0-9a-f]{64}$/, "…"))).toEqual([
      `${address}/mygame-crds@sha256:…`,
      `${address}/mygame@sha256:…`,
    ]);
    for (const [name, directory] of [
      ["mygame", "chart"],
      ["mygame-crds", "chart-crds"],
    ] as const) {
      await helm.run(pulled, "pull", `${repository}/${name}`, "--version=0.1.0", "--plain-http");
      for (const release of ["mygame", "shop"]) {
        const template = (chart: string) => helm.run(root, "template", release, chart, "--namespace", "games");
        expect(await template(join(pulled, `${name}-0.1.0.tgz`)), name).toBe(await template(directory));
      }
    }
    expect(await helm.run(root, "template", "mygame", "chart")).not.toContain("kind: CustomResourceDefinition");
  });

  it("sets version and appVersion", async () => {
    const { code, stderr } = await push({ VERSION: "v1.2.3" });
    expect(code, stderr).toBe(0);
    expect(pushed()).toHaveLength(2);
    const chart = await helm.run(pulled, "show", "chart", `${repository}/mygame`, "--version=1.2.3", "--plain-http");
    expect(load(chart)).toMatchObject({ name: "mygame", version: "1.2.3", appVersion: "v1.2.3" });
    expect(readdirSync(join(root, "dist/charts")).sort()).toEqual([
      ...["mygame-0.1.0.tgz", "mygame-1.2.3.tgz", "mygame-crds-0.1.0.tgz", "mygame-crds-1.2.3.tgz", "pushed.txt"],
    ]);
  });

  it("requires the address of a registry", async () => {
    const { code, stderr } = await push({ CHART_REPO: "example.com/charts" });
    expect(code).toBe(1);
    expect(stderr).toContain("CHART_REPO=example.com/charts: must be the address of an OCI registry");
  });
});

describe("the chart of the CRDs", () => {
  const environment = new TestEnvironment();
  const kubeconfig = join(scratch, "kubeconfig");
  const helmWithServer = (...args: string[]) =>
    helm.run(root, ...args, "--namespace", "default", "--kubeconfig", kubeconfig);
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    client = createClient(await environment.start());
    writeFileSync(kubeconfig, environment.kubeconfig, { mode: 0o600 });
  });
  afterAll(() => environment.stop());
  const crd = () => client.get(CustomResourceDefinition, { name: "games.myapp.qingwave.github.io" });
  const fields = async () => JSON.stringify((await crd()).spec.versions[0]?.schema);

  it("is upgraded by helm upgrade, and kept by helm uninstall", async () => {
    await helmWithServer("install", "crds", "chart-crds");
    expect(await fields()).not.toContain('"level"');
    const types = join(root, "api/v1/game-types.ts");
    writeFileSync(
      types,
      readFileSync(types, "utf8").replace(
        "export interface GameSpec {",
        "export interface GameSpec {\n  level?: string;",
      ),
    );
    await scaffold(root, "manifests");
    await helmWithServer("upgrade", "crds", "chart-crds");
    expect(await fields()).toContain('"level"');
    await helmWithServer("uninstall", "crds");
    expect((await crd()).metadata?.name).toBe("games.myapp.qingwave.github.io");
  });

  it("is removed by helm uninstall with crd.keep=false", async () => {
    await helmWithServer("install", "crds", "chart-crds", "--take-ownership", "--set", "crd.keep=false");
    await helmWithServer("uninstall", "crds", "--wait");
    await expect(crd()).rejects.toThrow("not found");
  });

  it("is removed from the project with --crd-chart=false, and the first chart installs the CRDs again", async () => {
    await scaffold(root, "edit", "--crd-chart=false", "--publish=false");
    expect(existsSync(join(root, "chart-crds"))).toBe(false);
    expect(existsSync(join(root, ".github/workflows/release-chart.yml"))).toBe(false);
    expect(readFileSync(join(root, "chart/values.yaml"), "utf8")).toMatch(/crd:\n( *#.*\n)* +enabled: true/);
  });
});
