import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../project/problem-error.ts";
import { type HeldObject, heldObjects, nameOf, removeFinalizers } from "./finalizers.ts";
import { manifests } from "./manifests.ts";
import { runProgram } from "./programs.ts";
import { type AppliedObject, type Kubectl, waitUntilReady } from "./rollout.ts";
import { settings, type Task } from "./task.ts";

/** `scaffold install`. */
export async function install(task: Task): Promise<void> {
  await manifests(task);
  const crds = await buildCrds(task);
  if (crds !== undefined) await apply(task, crds);
}

/** `scaffold uninstall`. */
export async function uninstall(task: Task): Promise<void> {
  await manifests(task);
  const crds = await buildCrds(task);
  if (crds !== undefined) await remove(task, crds);
}

/** `scaffold deploy`. */
export async function deploy(task: Task): Promise<void> {
  await manifests(task);
  const objects = await apply(task, await buildDeployment(task));
  const { rolloutTimeout } = settings(task);
  const failed = await waitUntilReady(kubectlOf(task), objects, rolloutTimeout, task.print);
  if (failed.length > 0) throw new ProblemError("rollout-failed", `rollout failed: ${failed.join(", ")}`);
}

/** `scaffold undeploy`. */
export async function undeploy(task: Task): Promise<void> {
  const text = await buildDeployment(task);
  const names = text.matchAll(/^kind: CustomResourceDefinition\nmetadata:\n(?: {2}.*\n)*? {2}name: (.+)$/gm);
  const crds = Array.from(names, ([, name]) => name ?? "");
  const kubectl = kubectlOf(task);
  const held = crds.length === 0 ? [] : await heldObjects(kubectl, crds);
  if (held.length > 0 && !settings(task).force) throw heldError(held);
  await removeFinalizers(kubectl, held, task.print);
  await remove(task, text);
}

/** `scaffold build-installer`. */
export async function buildInstaller(task: Task): Promise<void> {
  await manifests(task);
  const text = await buildDeployment(task);
  if (task.calls !== undefined) return;
  writeFileSync(join(task.root, "dist", "install.yaml"), text);
  task.note(`wrote dist/install.yaml with the image ${settings(task).image}`);
}

function heldError(held: readonly HeldObject[]): ProblemError {
  const list = held.map((object) => `  ${nameOf(object)}: ${object.finalizers.join(", ")}`);
  return new ProblemError(
    "held-objects",
    `can't undeploy: these objects have finalizers, which only the manager can remove:\n${list.join("\n")}`,
    "delete the objects first (kubectl delete), or set FORCE=true (--force) to remove the finalizers",
  );
}

function kubectlOf(task: Task): Kubectl {
  const { kubectl } = settings(task);
  return (args, options) => runProgram(task, kubectl, args, options);
}

/** Builds the manifests of config/default with the image IMG. Uses an overlay in dist/, so that tracked files don't change. */
async function buildDeployment(task: Task): Promise<string> {
  if (task.calls === undefined) {
    const directory = join(task.root, "dist", "deploy");
    mkdirSync(directory, { recursive: true });
    const image = { op: "replace", path: "/spec/template/spec/containers/0/image", value: settings(task).image };
    const overlay = {
      resources: ["../../config/default"],
      patches: [{ target: { kind: "Deployment", name: "controller-manager" }, patch: JSON.stringify([image]) }],
    };
    writeFileSync(join(directory, "kustomization.yaml"), JSON.stringify(overlay, null, 2));
  }
  return kustomize(task, "dist/deploy");
}

/** Builds the manifests of the CRDs. Returns undefined if the project has none. */
async function buildCrds(task: Task): Promise<string | undefined> {
  const list = "config/crd/kustomization.yaml";
  if (existsSync(join(task.root, list))) return kustomize(task, "config/crd");
  const bases = join(task.root, "config", "crd", "bases");
  if (existsSync(bases) && readdirSync(bases).length > 0) {
    throw new ProblemError(
      "missing-file",
      `can't build the CRDs: ${list} is missing`,
      "restore it from version control",
    );
  }
  task.note("No CRDs found. To add one, run: npx scaffold create api");
  return undefined;
}

function kustomize(task: Task, directory: string): Promise<string> {
  const [program = "", ...args] = settings(task).kustomize;
  return runProgram(task, program, [...args, directory], { capture: true });
}

/** Applies manifests and returns the objects from the API server. A dry run returns none. */
async function apply(task: Task, text: string): Promise<AppliedObject[]> {
  const kubectl = kubectlOf(task);
  await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], { input: text });
  if (task.calls !== undefined) return [];
  const got = JSON.parse(await kubectl(["get", "-f", "-", "-o", "json"], { input: text, capture: true }));
  return got.kind === "List" ? got.items : [got];
}

async function remove(task: Task, text: string): Promise<void> {
  const { ignoreNotFound } = settings(task);
  await kubectlOf(task)(["delete", `--ignore-not-found=${ignoreNotFound}`, "-f", "-"], { input: text });
}
