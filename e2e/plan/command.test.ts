// Runs `scaffold plan` in a project with the Game, against the embedded API server, and compares it with a real run.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { expectOutput } from "../../scripts/test-support/output-schema.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { attemptScaffold, checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { expectRealRun } from "./real-run.ts";
import type { PlanDocument } from "./result.ts";

const directory = mkdtempSync(join(tmpdir(), "plan-"));
const project = join(directory, "mygame");
const game = (image: string) => ({
  apiVersion: "myapp.qingwave.github.io/v1",
  kind: "Game",
  metadata: { name: "chess", namespace: "default" },
  spec: { replicas: 2, image, host: "chess.example.com" },
});
let environment: TestEnvironment;
let client: Client;
const kubeconfig = join(directory, "kubeconfig");

beforeAll(async () => {
  mkdirSync(project);
  const names = "--project-name mygame --domain qingwave.github.io --repo qingwave.github.io/mygame --fetch-deps=false";
  await scaffold(project, "init", ...names.split(" "));
  await scaffold(project, ..."create api --group myapp --version v1 --kind Game --resource --controller".split(" "));
  cpSync(join(checkout, "examples", "game"), project, { recursive: true });
  await linkPackages(project);
  await scaffold(project, "manifests");
  environment = new TestEnvironment({ crdDirectoryPaths: [join(project, "config/crd/bases")], engine: "embedded" });
  client = createClient(await environment.start());
  writeFileSync(kubeconfig, environment.kubeconfig);
  await client.create(game("nginx:1.29") as never);
});
afterAll(async () => {
  await environment?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function plan(...flags: string[]) {
  const { code, stdout, stderr } = await attemptScaffold(project, "plan", "--kubeconfig", kubeconfig, ...flags);
  return { code, stdout, stderr };
}

const document = (stdout: string): PlanDocument => JSON.parse(stdout) as PlanDocument;
const changesOf = ({ changes }: PlanDocument): string[] => changes.map(({ action, kind }) => `${action} ${kind}`);

describe("scaffold plan", () => {
  it("prints the changes with their positions, changes nothing, and removes its files", async () => {
    const out = join(directory, "first.json");
    const { code, stdout } = await plan("--out", out);
    expect(code).toBe(0);
    expectOutput("plan", document(readFileSync(out, "utf8")));
    expect(stdout).toMatch(
      /^Plan for context \S+ \(https:\/\/127\.0\.0\.1:\d+\) as \S+\n\n\+ Deployment default\/chess\n/,
    );
    const source = readFileSync(join(project, "src/controller/game-controller.ts"), "utf8").split("\n");
    const [, row] = /game-controller\.ts:(\d+)/.exec(stdout) ?? [];
    expect(source[Number(row) - 1]).toContain("createOrUpdate");
    expect(stdout).toMatch(
      /\n3 to create, 1 to update, 0 to delete\. 0 objects unchanged, \d+ reconciles\. Nothing was changed\.\n$/,
    );
    expect((await client.list(Deployment)).items).toEqual([]);
    expect(existsSync(join(project, "node_modules/.cache/kubewright/plan"))).toBe(false);
  });

  fullTest("has detailed exit codes, in which mistakes are never changes", async () => {
    expect((await plan("--detailed-exitcode")).code).toBe(2);
    expect((await plan("--detailed-exitcode", "--bogus")).code).toBe(1);
    expect((await plan("--detailed-exitcode", "Game")).code).toBe(1);
    expect((await attemptScaffold(project, "--quiet", "plan", "--detailed-exitcode", "--bogus")).code).toBe(1);
    expect((await plan("Game")).code).toBe(2);
    expect((await plan("--detailed-exitcode", "Game/none")).code).toBe(1);
    expect((await plan("--context", "none")).code).toBe(1);
  });

  fullTest("equals what a real run then writes, and has no changes afterwards", async () => {
    const planned = document((await plan("--json", "--out", join(directory, "plan.json"))).stdout);
    expectOutput("plan", planned);
    expect(document(readFileSync(join(directory, "plan.json"), "utf8")).changes).toHaveLength(planned.changes.length);
    expect(changesOf(planned)).toEqual(["create Deployment", "update Game", "create Ingress", "create Service"]);
    await expectRealRun(project, { planned, client, kubeconfig });
    const after = document((await plan("--json")).stdout);
    expect(after).toMatchObject({ complete: true, changes: [], summary: { unchanged: 1 } });
  });

  fullTest("shows what a file would change, and the rollout of its Pods, also without a write request", async () => {
    const file = join(directory, "game.yaml");
    writeFileSync(file, JSON.stringify(game("nginx:1.30")));
    for (const flags of [[], ["--writes", "local"], ["--writes", "local", "--crds", "project"]]) {
      const { code, stdout } = await plan("-f", file, ...flags);
      expect(code).toBe(0);
      expect(stdout).toContain("~ Deployment default/chess    rolls out 2 Pods\n");
      expect(stdout).toContain("    ~ spec.template.spec.containers[0].image: nginx:1.29 → nginx:1.30\n");
      expect(stdout).toContain("0 to create, 1 to update, 0 to delete.");
    }
    expect((await plan("-f", file, "--markdown")).stdout).toContain(
      "<b>Update</b> <code>Deployment default/chess</code>",
    );
  });

  fullTest("with --impersonate has only the permissions of the manager, and names the missing ones", async () => {
    const { code, stdout } = await plan("--impersonate", "--json");
    const { user, failed } = document(stdout);
    expect(user).toBe("system:serviceaccount:mygame-system:mygame-controller-manager");
    expect(code).toBe(1);
    expect(failed).toContainEqual(
      expect.objectContaining({
        phase: "list",
        status: 403,
        marker: "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=list",
      }),
    );
    expect(document((await plan("--impersonate=other/account", "--json")).stdout).user).toBe(
      "system:serviceaccount:other:account",
    );
  });

  fullTest("with --dev, uses the cluster of the session, and no other one", async () => {
    const without = await attemptScaffold(project, "plan", "--dev");
    expect(without.code).toBe(1);
    expect(without.stderr).toContain("no session of scaffold dev is running in this project");
    expect((await attemptScaffold(project, "plan", "--dev", "--kubeconfig", kubeconfig)).code).toBe(2);
    const session = join(project, ".kubewright");
    mkdirSync(session, { recursive: true });
    cpSync(kubeconfig, join(session, "dev.kubeconfig"));
    try {
      const { code, stdout } = await attemptScaffold(project, "plan", "--dev", "--json");
      expect(code).toBe(0);
      expect(document(stdout)).toMatchObject({ complete: true, server: environment.config.host });
    } finally {
      rmSync(session, { recursive: true });
    }
  });

  fullTest("runs the credential plugin of the kubeconfig, although other child processes fail", async () => {
    const { cert, key } = environment.config;
    const status = { clientCertificateData: String(cert), clientKeyData: String(key) };
    const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status };
    const plugin = join(directory, "plugin.mjs");
    writeFileSync(plugin, `process.stdout.write(${JSON.stringify(JSON.stringify(credential))});`);
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      interactiveMode: "Never",
      command: process.execPath,
      args: [plugin],
    };
    const [given] = loadAll(environment.kubeconfig) as [{ users: { name: string }[] }];
    const file = join(directory, "exec.kubeconfig");
    const users = given.users.map(({ name }) => ({ name, user: { exec } }));
    writeFileSync(file, JSON.stringify({ ...given, users }));
    const { code, stdout, stderr } = await attemptScaffold(project, "plan", "--kubeconfig", file, "--json");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(document(stdout)).toMatchObject({ complete: true, failed: [] });
  });

  fullTest("prints the last lines of a manager that ends before the plan is complete", async () => {
    const { code, stderr } = await plan("--", "--bogus-flag");
    expect(code).toBe(1);
    expect(stderr).toContain("error: the manager ended with exit code");
    expect(stderr).toContain("bogus-flag");
  });
});
