// Runs make deploy and make undeploy of a scaffolded project with a real API server and its controllers. The test sets
// the status of Pods, because no kubelet runs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { Kubectl, kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { snapshot } from "../../scripts/test-support/tree.ts";
import { eventually } from "../lib/eventually.ts";
import { createApi, initProject } from "../lib/game.ts";

const root = mkdtempSync(join(tmpdir(), "kubewright-deploy-"));
const environment = new TestEnvironment({ controllerManager: true });
let kubectl: Kubectl;

beforeAll(async () => {
  await initProject(root);
  await createApi(root);
  await environment.start();
  kubectl = new Kubectl(environment.kubeconfigPath);
});
afterAll(async () => {
  await environment.stop();
  rmSync(root, { recursive: true, force: true });
});

function task(name: string, env: Record<string, string> = {}, ...args: string[]) {
  const paths = { KUBECONFIG: environment.kubeconfigPath, KUBECTL: kubectlPath(), IMG: "example.com/game:v1" };
  return run(process.execPath, [scaffoldBin, name, ...args], { cwd: root, env: { ...paths, ...env } });
}

/** Returns all files of the project that git would track. */
const tracked = () => Object.entries(snapshot(root)).filter(([path]) => !path.startsWith("dist/"));

/** Sets the status of the manager's Pods, as a kubelet would. */
async function setPodStatus(status: object): Promise<void> {
  const names = await eventually(async () => {
    const pods = (await kubectl.run("get", "pods", "-n", "mygame-system", "-o", "name")).split("\n").filter(Boolean);
    expect(pods.length).toBeGreaterThan(0);
    return pods;
  });
  for (const name of names) {
    const patch = JSON.stringify({ status });
    await kubectl.run("patch", name, "-n", "mygame-system", "--subresource=status", "--type=merge", "-p", patch);
  }
}

const container = { name: "manager", image: "x", imageID: "", ready: false, restartCount: 3 };

it("deploy reports the reason why a rollout fails", async () => {
  const failing = task("deploy", { DEPLOY_TIMEOUT: "20s" });
  const message = "Back-off pulling image example.com/game:v1";
  await setPodStatus({
    phase: "Pending",
    containerStatuses: [{ ...container, state: { waiting: { reason: "ImagePullBackOff", message } } }],
  });
  const end = await failing;
  expect(end.stderr).toContain(`container manager is waiting (3 restarts): ImagePullBackOff: ${message}`);
  expect(end.stderr).toContain("rollout failed: mygame-controller-manager");
  expect(end.code).toBe(1);
});

it("deploy waits for the rollout, reports its progress, and changes no file", async () => {
  const before = tracked();
  const deploying = task("deploy");
  const now = new Date(Date.now() - 60_000).toISOString();
  await setPodStatus({
    phase: "Running",
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: now }],
    containerStatuses: [{ ...container, ready: true, state: { running: { startedAt: now } } }],
  });
  const end = await deploying;
  expect(end).toMatchObject({ code: 0 });
  expect(end.stdout).toMatch(/successfully rolled out/);
  expect(end.stdout).toMatch(/games\.myapp\.qingwave\.github\.io condition met/);
  expect(tracked()).toEqual(before);
  const deployment = JSON.parse(
    await kubectl.run("get", "deployment", "mygame-controller-manager", "-n", "mygame-system", "-o", "json"),
  );
  expect(deployment.spec.template.spec.containers[0].image).toBe("example.com/game:v1");
});

it("build-installer writes the objects of deploy to one file, and changes no other", async () => {
  const before = tracked();
  expect(await task("build-installer")).toMatchObject({ code: 0 });
  expect(tracked()).toEqual(before);
  const installer = join(root, "dist/install.yaml");
  // Exits with 1 if anything would change.
  expect(await kubectl.attempt("diff", "--server-side", "-f", installer)).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(installer, "utf8")).toContain("image: example.com/game:v1\n");
  expect(await kubectl.run("apply", "--server-side", "-f", installer)).toContain("serverside-applied");
});

it("undeploy reports objects with finalizers instead of waiting, and deletes them with --force", async () => {
  const sample = readFileSync(join(root, "config/samples/myapp_v1_game.yaml"), "utf8");
  await kubectl.apply(
    sample.replace("metadata:", 'metadata:\n  namespace: default\n  finalizers: ["example.com/held"]'),
  );
  const refused = await task("undeploy");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/games\.myapp\.qingwave\.github\.io default\/game-sample: example\.com\/held/);
  expect(await kubectl.run("get", "crd", "games.myapp.qingwave.github.io", "-o", "name")).not.toBe("");
  const forced = await task("undeploy", {}, "--force");
  expect(forced).toMatchObject({ code: 0 });
  expect((await kubectl.attempt("get", "crd", "games.myapp.qingwave.github.io")).code).toBe(1);
  expect((await task("undeploy")).code).toBe(1);
  expect((await task("undeploy", { IGNORE_NOT_FOUND: "true" })).code).toBe(0);
});
