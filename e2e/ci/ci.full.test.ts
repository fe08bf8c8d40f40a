// Runs the workflows of a scaffolded project step by step, as GitHub's runners do, on a PATH without Go. Docker and
// kind are replaced.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Kubectl } from "../../scripts/test-support/kubectl.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { narrowPath } from "../../scripts/test-support/tools.ts";
import { type Job, readWorkflow, runJob, type StepEnd } from "../../scripts/test-support/workflow.ts";
import { eventually } from "../lib/eventually.ts";
import { simulateKubelet } from "../lib/kubelet.ts";
import { Background } from "../lib/process.ts";

const parent = mkdtempSync(join(tmpdir(), "kubewright-ci-"));
const project = join(parent, "mygame");
const programs = "bash sh node npm npx make uname dirname sed grep find git rm sha256sum kubectl".split(" ");
const path = narrowPath(join(parent, "bin"), programs);
const env: Record<string, string | undefined> = { PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined };
const types = join(project, "api/v1/game-types.ts");
const text = (file: string) => readFileSync(join(project, file), "utf8");

const actions = {
  "actions/checkout": async () => undefined,
  "actions/setup-node": async () => undefined,
};

/** Returns a job of a workflow; by default, that with the name of the file. */
function jobOf(workflow: string, name = workflow): Job {
  const { jobs } = readWorkflow(join(project, `.github/workflows/${workflow}.yml`));
  const job = (jobs as Readonly<Record<string, Job | undefined>>)[name];
  if (job === undefined) throw new Error(`${workflow}.yml has no job ${name}`);
  return job;
}

/** Returns the job's steps after the installation of packages, which an earlier test has done. */
function afterInstallation({ steps, ...job }: Job): Job {
  const installed = steps.findIndex(({ name }) => name === "Install packages");
  return { ...job, steps: steps.slice(installed + 1) };
}

/** Returns the job with some of its steps. */
function only({ steps, ...job }: Job, names: RegExp): Job {
  return { ...job, steps: steps.filter(({ name = "" }) => names.test(name)) };
}

/** Commits the project as it is. */
function commit(subject: string): void {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["add", "."],
    [...author, "commit", "--quiet", "--message", subject],
  ]) {
    execFileSync("git", args, { cwd: project });
  }
}

const summary = (ends: readonly StepEnd[]) => ends.map(({ name, code }) => `${code === 0 ? "✓" : "✗"} ${name}`);

beforeAll(async () => {
  mkdirSync(project);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  await scaffold(project, "init", "--domain", "qingwave.github.io", "--project-name", "mygame", "--fetch-deps=false");
  await scaffold(project, "create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game");
  await scaffold(project, "generate");
  // The lock file is in the repository, but the packages aren't.
  await linkPackages(project);
  unlinkSync(join(project, "node_modules"));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe("the workflows of a project", { sequential: true }, () => {
  it("include test.yml, which checks the manifests and runs the tests with a real API server", async () => {
    const ends = await runJob(jobOf("test"), { cwd: project, env, actions });
    expect(summary(ends), ends.at(-1)?.stdout).toEqual([
      "✓ Check out",
      "✓ Set up Node",
      "✓ Install packages",
      "✓ Check that manifests are up to date",
      "✓ Check that CRDs are compatible",
      "✓ Check that RBAC markers fit the code",
      "✓ Set up envtest",
      "✓ Run tests",
      "✓ Simulate",
    ]);
    const output = (name: string) => ends.find((end) => end.name === name)?.stdout;
    expect(output("Run tests")).toMatch(/Tests +\d+ passed/);
    expect(output("Run tests")).not.toContain("skipped");
    expect(output("Run tests")).toContain("test/role.test.ts");
    expect(output("Simulate")).toMatch(/^findings +0$/m);
  });

  it("include lint.yml, which passes", async () => {
    const ends = await runJob(afterInstallation(jobOf("lint")), { cwd: project, env, actions });
    expect(summary(ends), ends.at(-1)?.stdout).toEqual(["✓ Lint and check types"]);
  });

  it("fail in test.yml if the CRD is outdated, with the difference and without writing", async () => {
    const [before, crd] = [text("api/v1/game-types.ts"), "config/crd/bases/myapp.qingwave.github.io_games.yaml"];
    const written = text(crd);
    writeFileSync(types, before.replace("foo?: string;", "foo?: string;\n  lives?: number;"));
    const ends = await runJob(afterInstallation(jobOf("test")), { cwd: project, env, actions });
    expect(summary(ends)).toEqual(["✗ Check that manifests are up to date"]);
    expect(ends[0]?.stdout).toMatch(/^\+ +lives:$/m);
    expect(text(crd)).toBe(written);
    writeFileSync(types, before);
  });

  it("fail in test.yml if a CRD isn't compatible with the parent, which is the base of a pull request", async () => {
    commit("Add a kind");
    const before = text("api/v1/game-types.ts");
    writeFileSync(types, before.replace("foo?: string;", "foo: string;"));
    await scaffold(project, "generate");
    commit("Require foo");
    const ends = await runJob(only(jobOf("test"), /manifests|CRDs/), { cwd: project, env, actions });
    expect(summary(ends)).toEqual(["✓ Check that manifests are up to date", "✗ Check that CRDs are compatible"]);
    expect(`${ends[1]?.stdout}${ends[1]?.stderr}`).toContain(".spec.foo");
    writeFileSync(types, before);
    await scaffold(project, "generate");
  });

  it("fail in test.yml if a marker is missing, by comparison with the code and by running with the role", async () => {
    const path = join(project, "src/controller/game-controller.ts");
    const before = readFileSync(path, "utf8");
    const changed = before.replace(
      /^.*\+kubebuilder:rbac:groups=myapp\.qingwave\.github\.io,resources=games,.*\n/m,
      "",
    );
    expect(changed).not.toBe(before);
    writeFileSync(path, changed);
    await scaffold(project, "generate");
    const compared = await runJob(only(jobOf("test"), /RBAC/), { cwd: project, env, actions });
    expect(summary(compared)).toEqual(["✗ Check that RBAC markers fit the code"]);
    const marker = "+kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games,verbs=";
    expect(`${compared[0]?.stdout}${compared[0]?.stderr}`).toContain(marker);
    const tested = await runJob(only(jobOf("test"), /Run tests/), { cwd: project, env, actions });
    expect(summary(tested)).toEqual(["✗ Run tests"]);
    expect(`${tested[0]?.stdout}${tested[0]?.stderr}`).toContain(`missing permission: ${marker}list`);
    writeFileSync(path, before);
    await scaffold(project, "generate");
  });

  it("include the upgrade from the last tag before this commit, if one exists", async () => {
    const step = () => runJob(only(jobOf("test", "upgrade"), /Simulate/), { cwd: project, env, actions });
    const [without] = await step();
    expect(without).toMatchObject({ code: 0, stdout: "" });
    execFileSync("git", ["tag", "v1.0.0", "HEAD^"], { cwd: project });
    execFileSync("git", ["tag", "v2.0.0"], { cwd: project });
    const [after] = await step();
    expect(after?.stdout, after?.stderr).toContain("This upgrade changes: nothing");
    expect(after?.stdout).toMatch(/^findings +0$/m);
  });

  it("fail in lint.yml if the code has a type error", async () => {
    const before = text("src/main.ts");
    writeFileSync(join(project, "src/main.ts"), `${before}\nexport const wrong: number = "text";\n`);
    const ends = await runJob(afterInstallation(jobOf("lint")), { cwd: project, env, actions });
    expect(summary(ends)).toEqual(["✗ Lint and check types"]);
    expect(ends[0]?.stdout).toContain("TS2322");
    writeFileSync(join(project, "src/main.ts"), before);
  });
});

describe("test-e2e.yml", { sequential: true }, () => {
  const environment = new TestEnvironment({ controllerManager: true });
  const kubelet = new AbortController();
  const kubeconfig = join(parent, "kubeconfig");
  const calls = join(parent, "calls");
  const downloaded = "kind of these tests";
  const namespace = "mygame-system";
  let kubectl: Kubectl;
  let manager: Background | undefined;

  beforeAll(async () => {
    // Without commits, the image has no revision.
    rmSync(join(project, ".git"), { recursive: true });
    await environment.start();
    kubectl = new Kubectl(environment.kubeconfigPath);
    void simulateKubelet(kubectl, kubelet.signal);
    cpSync(environment.kubeconfigPath, join(parent, "cluster"));
    const { "current-context": context } = load(readFileSync(join(parent, "cluster"), "utf8")) as Record<
      string,
      string
    >;
    const bring = `cp '${join(parent, "cluster")}' "$KUBECONFIG"; kubectl config rename-context '${context}' kind-mygame-test-e2e`;
    const replacements = {
      // The download and installation of kind, which is replaced.
      curl: `printf '${downloaded}' > kind`,
      sudo: "exit 0",
      docker: "exit 0",
      kind: `case "$1 $2" in "get clusters") [ ! -f "$KUBECONFIG" ] || echo mygame-test-e2e ;; "create cluster") ${bring} ;; "delete cluster") rm "$KUBECONFIG" ;; esac`,
    };
    for (const [name, script] of Object.entries(replacements)) {
      writeFileSync(join(path, name), `#!/bin/sh\necho ${name} "$@" >> '${calls}'\n${script}\n`);
      chmodSync(join(path, name), 0o755);
    }
    narrowPath(path, ["cp"]);
    // Outside of a cluster, the namespace of the Lease must be set.
    const main = text("src/main.ts").replace("leaderElectionID:", `leaderElectionNamespace: "${namespace}", $&`);
    writeFileSync(join(project, "src/main.ts"), main);
  });
  afterAll(async () => {
    kubelet.abort();
    await manager?.end("SIGKILL");
    await environment.stop();
  });

  /** Runs the bundle with the permissions of its ServiceAccount, as a container of the Deployment would. */
  async function runContainer(): Promise<void> {
    const account = "mygame-controller-manager";
    await eventually(() => kubectl.get(`deployment/${account}`, "--namespace=mygame-system"), 240_000);
    await scaffold(project, "build", "--bundle-only");
    const own = join(parent, "account.kubeconfig");
    await kubectl.writeKubeconfig(own, namespace, account);
    const flags = ["--leader-elect", "--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:0"];
    manager = new Background(process.execPath, ["dist/main.js", ...flags, "--kubeconfig", own], { cwd: project });
  }

  /** Replaces the checksum of kind in a job by that of the replacement. */
  function withChecksum(job: Job): Job {
    const KIND_SHA256 = createHash("sha256").update(downloaded).digest("hex");
    return {
      ...job,
      steps: job.steps.map((step) =>
        step.env?.KIND_SHA256 === undefined ? step : { ...step, env: { ...step.env, KIND_SHA256 } },
      ),
    };
  }

  it("doesn't install kind if the checksum differs", async () => {
    const job = afterInstallation(jobOf("test-e2e"));
    const ends = await runJob(job, { cwd: project, env: { ...env, KUBECONFIG: kubeconfig }, actions });
    expect(summary(ends)).toEqual(["✗ Install kind"]);
    expect(ends[0]?.stdout).toContain("kind: FAILED");
    expect(readFileSync(calls, "utf8")).not.toContain("sudo");
    rmSync(join(project, "kind"));
    rmSync(calls);
  });

  it("creates a cluster, deploys the image, waits for the leading manager, and deletes the cluster", async () => {
    const [ends] = await Promise.all([
      runJob(withChecksum(afterInstallation(jobOf("test-e2e"))), {
        cwd: project,
        env: { ...env, KUBECONFIG: kubeconfig },
        actions,
      }),
      runContainer(),
    ]);
    expect(summary(ends), `${ends.at(-1)?.stdout}${ends.at(-1)?.stderr}${manager?.output}`).toEqual([
      "✓ Install kind",
      "✓ Run e2e tests",
    ]);
    expect(ends.at(-1)?.stdout).toMatch(/Tests +2 passed/);
    expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
      expect.stringMatching(/^curl -fsSLo kind https:\/\/kind\.sigs\.k8s\.io\/dl\/v\d+\.\d+\.\d+\/kind-linux-amd64$/),
      "sudo install kind /usr/local/bin/kind",
      "kind get clusters",
      "kind create cluster --name mygame-test-e2e",
      "docker build --build-arg IMAGE_VERSION=v0.0.1 -t example.com/mygame:v0.0.1 .",
      "kind load docker-image example.com/mygame:v0.0.1 --name mygame-test-e2e",
      "kind delete cluster --name mygame-test-e2e",
    ]);
  });
});

it("the runner of these tests rejects steps that it doesn't support", async () => {
  const runner = { cwd: checkout, env, actions };
  const echo = (expression: string) => `echo \${{ ${expression} }}`;
  const job = (step: object) => ({ steps: [step] }) as Job;
  await expect(runJob(job({ uses: "somebody/else@v1" }), runner)).rejects.toThrow(
    "no replacement for the action somebody/else",
  );
  await expect(runJob(job({ run: "true", "continue-on-error": true }), runner)).rejects.toThrow("continue-on-error");
  await expect(runJob(job({ run: echo("secrets.X") }), runner)).rejects.toThrow("unknown expression secrets.X");
  const matrix = { node: "22" };
  const [end] = await runJob(job({ run: echo("matrix.node") }), { ...runner, matrix });
  expect(end).toMatchObject({ code: 0, stdout: "22\n" });
});
