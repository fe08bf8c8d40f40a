// Simulates an attacker who has the manager's token, or may create Pods in its namespace. Needs a real API server with
// its default admission plugins.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { Kubectl, kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { attemptScaffold, manifestsOptions } from "../../scripts/test-support/scaffold.ts";
import { goldens } from "../lib/golden.ts";

const namespace = "mygame-system";
const account = "mygame-controller-manager";
const scratch = mkdtempSync(join(tmpdir(), "kubewright-token-"));
const project = join(scratch, "project");
const environment = new TestEnvironment();
let admin: Kubectl;
let manager: Kubectl;
let deployment: { spec: { template: { metadata: object; spec: object } } };

beforeAll(async () => {
  cpSync(join(goldens, "game"), project, { recursive: true });
  expect(await attemptScaffold(project, "generate", ...manifestsOptions)).toMatchObject({ code: 0 });
  await environment.start();
  admin = new Kubectl(environment.kubeconfigPath);
  const { stdout } = await must(kubectlPath(), ["kustomize", "config/default"], { cwd: project });
  await admin.serverSide(stdout);
  deployment = loadAll(stdout).find((each) => (each as { kind?: string }).kind === "Deployment") as typeof deployment;
  const kubeconfig = join(scratch, "kubeconfig");
  await admin.writeKubeconfig(kubeconfig, namespace, account);
  manager = new Kubectl(kubeconfig);
});
afterAll(async () => {
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const lease = (name: string) => `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: ${name}, namespace: ${namespace} }
spec: { holderIdentity: test }
`;
const main = readFileSync(join(goldens, "game/src/main.ts"), "utf8");
const [, own = ""] = /leaderElectionID: "(.+)"/.exec(main) ?? [];

/** Returns a Pod of the scaffolded Deployment, with some fields of its container changed. */
function pod(changed: object = {}): string {
  const { metadata, spec } = structuredClone(deployment.spec.template) as {
    metadata: object;
    spec: { containers: object[] };
  };
  Object.assign(spec.containers[0]!, changed);
  return JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { ...metadata, name: "tried", namespace }, spec });
}

/** Sends a dry run, which runs authorization and admission without creating anything. */
async function tryToCreate(by: Kubectl, manifest: string): Promise<string> {
  const file = ["--dry-run=server", "-f", "-"];
  const { code, stderr } = await by.attemptWith(manifest, "create", ...file);
  return code === 0 ? "" : stderr;
}

describe("stolen manager credentials", () => {
  it("the token can update its own Lease, which shows that the token is valid", async () => {
    expect(await tryToCreate(manager, lease(own))).toBe("");
    await admin.serverSide(lease(own));
    await admin.serverSide(lease("another"));
    for (const verb of ["get", "update"]) {
      expect((await manager.attempt("auth", "can-i", verb, `leases/${own}`, "-n", namespace)).stdout).toBe("yes\n");
    }
  });

  it("the token can't change or read anything else in its namespace", async ({ task }) => {
    await admin.run("create", "configmap", "settings", "-n", namespace, "--from-literal=a=b");
    const attempts = [
      ["get", "secrets"],
      ["get", "lease", "another"],
      ["delete", "lease", own],
      ["create", "token", account],
      ["create", "role", "more", "--verb=*", "--resource=*"],
      ["patch", "role", "mygame-leader-election-role", "--type=merge", "-p", "{}"],
      ["delete", "pods", "--all"],
      ["create", "configmap", "written", "--from-literal=a=b"],
      ["get", "configmaps"],
      ["get", "configmap", "settings"],
      ["patch", "configmap", "settings", "--type=merge", "-p", '{"data":{"a":"c"}}'],
      ["delete", "configmap", "settings"],
      ["get", "leases"],
      ["patch", "lease", own, "--type=merge", "-p", "{}"],
      ["delete", "leases", "--all"],
    ];
    (task.meta as { attempts?: number }).attempts = attempts.length + 1;
    for (const args of attempts) {
      const { code, stderr } = await manager.attempt(...args, "-n", namespace);
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: expect.stringMatching(/forbidden/i) });
    }
    expect(await tryToCreate(manager, pod())).toMatch(/forbidden/i);
  });

  it("the manager's own Pod meets the restricted Pod Security Standard", async () => {
    expect(await tryToCreate(admin, pod())).toBe("");
  });

  it("a Pod in the namespace can't have more privileges than the restricted Pod Security Standard allows", async ({
    task,
  }) => {
    const context = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    const attempts = [
      { securityContext: { privileged: true } },
      { securityContext: { ...context, allowPrivilegeEscalation: true } },
      { securityContext: { ...context, runAsUser: 0 } },
      { securityContext: { ...context, runAsNonRoot: false } },
      { securityContext: { ...context, capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } } },
      { securityContext: { ...context, seccompProfile: { type: "Unconfined" } } },
      { securityContext: {} },
      { ports: [{ containerPort: 80, hostPort: 80 }] },
    ];
    (task.meta as { attempts?: number }).attempts = attempts.length;
    for (const changed of attempts) {
      expect(await tryToCreate(admin, pod(changed)), JSON.stringify(changed)).toContain(
        'violates PodSecurity "restricted:latest"',
      );
    }
  });
});
