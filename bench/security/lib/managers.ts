// Builds the two managers, and reads their limits from the scaffold.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/run.mjs";
import { scaffold } from "../../../scripts/test-support/scaffold.ts";
import type { Limits } from "../../lib/cgroup.ts";
import { buildGo } from "../../lib/go.ts";

/** A manager to attack. */
export interface AttackedManager {
  readonly name: string;
  readonly argv: readonly string[];
  /** Its environment if this machine has no cgroup that can be written. */
  readonly withoutCgroup: Readonly<Record<string, string>>;
  readonly limits: Required<Limits>;
}

/** The directories of the CRD and the webhook configurations, which both managers use. */
export interface Manifests {
  readonly crds: string;
  readonly webhooks: string;
}

const kind = ["--group", "bench", "--kind", "Order", "--version"];

/** Scaffolds and bundles the project in TypeScript, with the code of `bench/security/operator`. */
export async function buildOurs(scratch: string): Promise<{ manager: AttackedManager; manifests: Manifests }> {
  const project = join(scratch, "orders");
  mkdirSync(project);
  const call = (...args: string[]): Promise<unknown> => scaffold(project, ...args);
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
    limits: { cpus: Number(limits?.[1]) / 1000, memoryMiB: Number(limits?.[2]) },
  };
  return { manager, manifests: { crds: join(project, "config/crd/bases"), webhooks: join(project, "config/webhook") } };
}

/** Sets the namespace of the lease, which a manager otherwise reads from its Pod. */
function outsideOfCluster(path: string): void {
  const text = readFileSync(path, "utf8");
  const changed = text.replace(/^( *)leaderElectionID:/m, '$1leaderElectionNamespace: "default",\n$&');
  if (changed === text) throw new Error(`${path}: found no leaderElectionID`);
  writeFileSync(path, changed);
}

/** Builds the Go manager, with the limits of kubebuilder's scaffold; `undefined` if Go isn't installed. */
export async function buildTheirs(scratch: string): Promise<AttackedManager | undefined> {
  const binary = await buildGo(join(root, "bench/security/go"), join(scratch, "manager"));
  if (binary === undefined) return undefined;
  return { name: "Go", argv: [binary], withoutCgroup: {}, limits: { cpus: 0.5, memoryMiB: 128 } };
}
