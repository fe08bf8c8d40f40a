// Builds the two managers, and reads their limits from the scaffold.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must, root, run } from "../../../scripts/lib/run.mjs";

const scaffold = join(root, "bin/scaffold.js");
const kind = ["--group", "bench", "--kind", "Order", "--version"];

/**
 * Scaffolds and bundles the project in TypeScript, with the code of `bench/security/operator`.
 *
 * @returns the manager, and `manifests`: the directories of its CRD and webhook configurations, which both managers use
 */
export async function buildOurs(scratch) {
  const project = join(scratch, "orders");
  mkdirSync(project);
  const call = (...args) => must(process.execPath, [scaffold, ...args], { cwd: project });
  await call("init", "--domain", "kubewright.dev", "--license", "none", "--fetch-deps=false", "--yes");
  await call("create", "api", ...kind, "v1", "--resource", "--controller", "--yes");
  await call("create", "api", ...kind, "v2", "--resource", "--controller=false", "--yes");
  const webhooks = ["--defaulting", "--programmatic-validation", "--conversion", "--spoke", "v2"];
  await call("create", "webhook", ...kind, "v1", ...webhooks, "--yes");
  cpSync(join(root, "bench/security/operator"), project, { recursive: true });
  outsideOfCluster(join(project, "src/main.ts"));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  await call(
    "generate",
    "rbac:roleName=manager-role",
    "crd",
    "webhook",
    "paths=./...",
    "output:crd:artifacts:config=config/crd/bases",
  );
  await call("build", "--bundle-only");
  const manifest = readFileSync(join(project, "config/manager/manager.yaml"), "utf8");
  const limits = /limits:\s+cpu: (\d+)m\s+memory: (\d+)Mi/.exec(manifest);
  const manager = {
    name: "ours",
    argv: [process.execPath, join(project, "dist/main.js")],
    // V8's heap size in a container with the scaffolded limit.
    withoutCgroup: { NODE_OPTIONS: "--max-old-space-size=259" },
    limits: { cpus: Number(limits[1]) / 1000, memoryMiB: Number(limits[2]) },
  };
  return { manager, manifests: { crds: join(project, "config/crd/bases"), webhooks: join(project, "config/webhook") } };
}

/** Sets the namespace of the lease, which a manager otherwise reads from its Pod. */
function outsideOfCluster(path) {
  const text = readFileSync(path, "utf8");
  const changed = text.replace(/^( *)leaderElectionID:/m, '$1leaderElectionNamespace: "default",\n$&');
  if (changed === text) throw new Error(`${path}: found no leaderElectionID`);
  writeFileSync(path, changed);
}

/** Builds the Go manager, with the limits of kubebuilder's scaffold; `undefined` if Go isn't installed. */
export async function buildTheirs(scratch) {
  const binary = join(scratch, "manager");
  const cwd = join(root, "bench/security/go");
  const { code, output } = await run("go", ["build", "-o", binary, "."], { cwd }).catch((error) => {
    if (error.code === "ENOENT") return { code: "none" };
    throw error;
  });
  if (code === "none") return undefined;
  if (code !== 0) throw new Error(`go build ended with ${code}\n${output}`);
  return { name: "Go", argv: [binary], env: {}, withoutCgroup: {}, limits: { cpus: 0.5, memoryMiB: 128 } };
}
