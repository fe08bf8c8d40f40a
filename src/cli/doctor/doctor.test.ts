import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSignedCertificate } from "@kubewright/runtime/dev";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { variants } from "../../../scripts/test-support/thorough.ts";
import { createApi, createWebhook, initProject } from "../../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { cliVersion } from "../framework/version.ts";
import { runCli } from "../test-support/run-cli.ts";
import { tools } from "../test-support/tools.ts";

/** Creates a directory with programs that respond like the real ones in a working setup. */
async function doctor(root: string, path = tools("npm", "kubectl")): Promise<{ code: number; text: string }> {
  const { code, stdout } = await runCli(root, ["doctor"], { env: { PATH: path } });
  return { code, text: stdout };
}

const makeGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});

async function game(): Promise<string> {
  const root = testDirectory();
  await makeGame(root);
  return root;
}

describe("scaffold doctor", () => {
  it("reports no problems in a complete project, and changes nothing", async () => {
    const root = await game();
    const before = snapshot(root);
    const { code, text } = await doctor(root, tools("npm", "kubectl"));
    expect(text).toContain("✓ project mygame: 1 resource, complete");
    expect(text).toContain("✓ kubectl 1.2.3");
    expect(text).toContain("! manifests are not up to date: config/crd/bases/");
    expect(text).toContain("No errors, ");
    expect(code).toBe(0);
    expect(snapshot(root)).toEqual(before);
  });

  const types = ["api/v1/game-types.ts", "api/v1/index.ts"];
  const kustomizations = ["crd", "rbac", "default"].map((name) => `config/${name}/kustomization.yaml`);
  const required = ["src/main.ts", ...kustomizations, "src/controller/game-controller.ts", ...types];
  it.each(variants(required, 2))("reports a missing file: %s", async (file) => {
    const root = await game();
    rmSync(join(root, file));
    const { code, text } = await doctor(root);
    expect(code).toBe(1);
    expect(text).toContain(`✗ ${file} is missing`);
  });

  const anchors = [
    ["src/main.ts", "imports"],
    ["config/crd/kustomization.yaml", "crdkustomizeresource"],
    ["src/main.ts", "builder"],
    ["api/v1/index.ts", "types"],
  ] as const;
  it.each(variants(anchors, 2))("reports a missing anchor: %s %s", async (file, anchor) => {
    const root = await game();
    const text = readFileSync(join(root, file), "utf8");
    writeFileSync(join(root, file), text.replace(`+kubebuilder:scaffold:${anchor}`, "nothing"));
    const report = await doctor(root);
    expect(report.code).toBe(1);
    expect(report.text).toContain(`✗ ${file} no longer has the line "+kubebuilder:scaffold:${anchor}"`);
  });

  it("shows the line that may be a misspelled anchor", async () => {
    const root = await game();
    const main = join(root, "src/main.ts");
    writeFileSync(
      main,
      readFileSync(main, "utf8").replace("+kubebuilder:scaffold:imports", "+kubebuilder:scafold:imports"),
    );
    expect((await doctor(root)).text).toContain("looks like it");
  });

  it("reports a file that upgrade couldn't merge", async () => {
    const root = await game();
    const main = join(root, "src/main.ts");
    const text = readFileSync(main, "utf8");
    writeFileSync(main, `${text}<<<<<<< yours\na();\n=======\nb();\n>>>>>>> kubewright\n`);
    const report = await doctor(root);
    expect(report.code).toBe(1);
    expect(report.text).toContain("✗ src/main.ts has lines that could not be merged, between <<<<<<< and >>>>>>>");
  });

  it("reports a damaged archive, as after a merge of branches", async () => {
    const root = await game();
    appendFileSync(join(root, ".kubewright/pristine.txtar"), "-- src/main.ts --\nother\n");
    const report = await doctor(root);
    expect(report.code).toBe(1);
    expect(report.text).toContain(
      "✗ .kubewright/pristine.txtar can't be read: it is the result of a merge, and contains src/main.ts twice",
    );
    expect(report.text).toContain("npx scaffold upgrade --rebase");
  });

  it("prints its findings as JSON, and the failed ones as diagnostics", async () => {
    const root = await game();
    rmSync(join(root, "src/main.ts"));
    const { code, stdout } = await runCli(root, ["doctor", "--json"], { env: { PATH: tools("npm", "kubectl") } });
    const { checks, diagnostics } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(checks).toContainEqual(
      expect.objectContaining({ id: "missing-file", status: "missing", file: "src/main.ts" }),
    );
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ id: "missing-file", severity: "error", file: "src/main.ts" }),
    );
  });

  it("reports a missing tool", async () => {
    const { code, text } = await doctor(await game(), tools("npm"));
    expect(code).toBe(1);
    expect(text).toContain("✗ kubectl not found");
  });

  fullTest("reports a container tool without its daemon", async () => {
    const path = tools("npm", "kubectl");
    const say = (name: string, version: string) =>
      writeFileSync(
        join(path, name),
        `#!/bin/sh\n[ "$1" = --version ] && echo "Docker version 27.5.1, build 9f9e405" || { ${version}; }\n`,
        {
          mode: 0o755,
        },
      );
    say("docker", "echo 'Client: 27.5.1'; echo 'Cannot connect to the Docker daemon. Is it running?' >&2; exit 1");
    const without = await doctor(await game(), path);
    expect(without.text).toContain(
      "! docker 27.5.1 has no running daemon: make docker-build needs it (Cannot connect to the Docker daemon. Is it running?)\n      hint: start it",
    );
    expect(without.code).toBe(0);
    say("docker", "echo 'Server: 27.5.1'");
    expect((await doctor(await game(), path)).text).toContain("✓ docker 27.5.1\n");
  });

  fullTest("prints only problems with --quiet", async () => {
    const root = await game();
    const env = { PATH: tools("npm", "kubectl", "docker", "make"), KUBEBUILDER_ASSETS: root };
    const quiet = async () => (await runCli(root, ["doctor", "--quiet"], { env })).stdout;
    expect(await quiet()).not.toContain("✓");
    expect(await quiet()).toContain("! manifests are not up to date");
    rmSync(join(root, "src/main.ts"));
    const text = await quiet();
    expect(text).toContain("✗ src/main.ts is missing");
    expect(text).not.toMatch(/✓|^Machine/m);
  });

  it("reports a PROJECT that can't be read", async () => {
    const { code, text } = await doctor(testDirectory({ PROJECT: "a: [" }));
    expect(code).toBe(1);
    expect(text).toContain("✗ PROJECT can't be read");
  });

  it("works outside of a project", async () => {
    const { code, text } = await doctor(testDirectory(), tools("npm", "kubectl"));
    expect(code).toBe(0);
    expect(text).toContain("! no project found in this directory");
  });
});

/** Creates a kubectl that responds with the given texts or errors. */
function kubectl(say: Readonly<Record<string, string | { readonly fails: string | true }>>): string {
  const directory = tools("npm", "make", "docker");
  const cases = Object.entries(say).map(([begin, answer]) => {
    if (typeof answer === "string") return `"${begin}"*) printf '%s\\n' '${answer}' ;;\n`;
    return `"${begin}"*) ${answer.fails === true ? "" : `printf '%s\\n' '${answer.fails}' >&2; `}exit 1 ;;\n`;
  });
  const program = `#!/bin/sh\ncase "$*" in\n${cases.join("")}*) exit 1 ;;\nesac\n`;
  writeFileSync(join(directory, "kubectl"), program, { mode: 0o755 });
  return directory;
}

const versions = (client: string, server: string) =>
  JSON.stringify({ clientVersion: { gitVersion: client }, serverVersion: { gitVersion: server } });
const cluster = (server = "v1.36.3") => ({
  "version --client": "clientVersion:\n  gitVersion: v1.36.0\n",
  "version -o json": versions("v1.36.0", server),
  "config current-context": "kind-dev",
  "auth whoami": "kubernetes-admin",
});

describe("scaffold doctor, section Cluster", () => {
  fullTest("prints the context and the user", async () => {
    const { text, code } = await doctor(await game(), kubectl(cluster()));
    expect(text).toContain("✓ cluster v1.36.3: context kind-dev as kubernetes-admin\n");
    expect(code).toBe(0);
  });

  it("reports a cluster that isn't reachable", async () => {
    const path = kubectl({ ...cluster(), "version -o json": { fails: true }, "auth whoami": { fails: true } });
    expect((await doctor(await game(), path)).text).toContain(
      "! cluster not reachable (context kind-dev): make install, run and deploy need a cluster\n      hint: run kubectl cluster-info to find out why",
    );
  });

  it.each([
    [
      "a connection failure",
      {
        "version -o json": "The connection to the server 127.0.0.1:1 was refused\n\nmore",
        "config current-context": "kind-dev",
      },
      " (context kind-dev)",
      "kubectl reports: The connection to the server 127.0.0.1:1 was refused",
    ],
    [
      "an invalid kubeconfig",
      { "version -o json": 'error: error loading config file "a": yaml: line 1', "config current-context": "error: a" },
      "",
      'kubectl reports: error loading config file "a": yaml: line 1',
    ],
    [
      "a kubeconfig without a context",
      {
        "version -o json": "The connection was refused",
        "config current-context": "error: current-context is not set",
      },
      "",
      'select a context with "kubectl config use-context", or set KUBECONFIG',
    ],
  ])("reports why the cluster isn't reachable: %s", async (_, responses, where, hint) => {
    const answers = Object.entries(responses).map(([call, text]) => [
      call,
      text === "kind-dev" ? text : { fails: text },
    ]);
    const path = kubectl({ ...cluster(), "auth whoami": { fails: true }, ...Object.fromEntries(answers) });
    expect((await doctor(await game(), path)).text).toContain(
      `! cluster not reachable${where}: make install, run and deploy need a cluster\n      hint: ${hint}\n`,
    );
  });

  fullTest("warns of a kubectl that is too old or too new for the API server", async () => {
    expect((await doctor(await game(), kubectl(cluster("v1.33.1")))).text).toContain(
      "! kubectl v1.36.0 and API server v1.33.1 are more than one minor version apart\n      hint: install kubectl 1.33",
    );
    expect((await doctor(await game(), kubectl(cluster("v1.35.1")))).text).not.toContain("apart");
  });

  fullTest("warns of features in the CRDs that the cluster doesn't support", async () => {
    const root = await game();
    mkdirSync(join(root, "config/crd/bases"), { recursive: true });
    writeFileSync(join(root, "config/crd/bases/games.yaml"), "spec:\n  versions:\n  - selectableFields:\n    - a\n");
    expect((await doctor(root, kubectl(cluster()))).text).not.toContain("selectableFields");
    writeFileSync(join(root, "config/crd/bases/games.yaml"), "spec:\n  versions:\n    selectableFields:\n    - a\n");
    expect((await doctor(root, kubectl(cluster("v1.30.0")))).text).toContain(
      "! config/crd/bases/games.yaml uses selectableFields, which requires Kubernetes 1.31; the cluster runs v1.30.0",
    );
  });
});

describe("scaffold doctor, webhook certificate", () => {
  const name = "get secret mygame-webhook-server-cert -n mygame-system";
  const makeWebhook = madeOnce(async (root) => {
    await initProject(root, { webhookCerts: "self" });
    await createApi(root);
    await createWebhook(root, { defaulting: true });
  });
  async function withWebhook(): Promise<string> {
    const root = testDirectory();
    await makeWebhook(root);
    return root;
  }
  const secret = async (days: number) => {
    // The certificates that it creates are valid for a year.
    const { cert } = await selfSignedCertificate(["localhost"], new Date(Date.now() + (days - 365) * 24 * 3600 * 1000));
    return JSON.stringify({ data: { "tls.crt": Buffer.from(cert).toString("base64") } });
  };

  it.each([
    [
      "valid for a long time",
      secret(90),
      0,
      /✓ webhook certificate in Secret mygame-system\/mygame-webhook-server-cert: valid until /,
    ],
    [
      "about to expire",
      secret(0.5),
      0,
      /! webhook certificate .*: expires on .*\n.*kubectl logs -n mygame-system deployment\/mygame-controller-manager/,
    ],
    ["over", secret(-1), 1, /✗ webhook certificate .*: expired on /],
    [
      "no certificate",
      JSON.stringify({ data: { "tls.crt": "bm8=" } }),
      1,
      /✗ webhook certificate .*: isn't a valid certificate/,
    ],
    ["not created yet", "{}", 0, /! webhook certificate .*: not created yet/],
  ])("reports a certificate that is %s", async (_, answer, code, line) => {
    const checks = await doctor(await withWebhook(), kubectl({ ...cluster(), [name]: await answer }));
    expect(checks.text).toMatch(line);
    expect(checks.code).toBe(code);
  });

  fullTest("isn't checked if the project isn't deployed or doesn't create it", async () => {
    expect((await doctor(await withWebhook(), kubectl({ ...cluster(), [name]: "" }))).text).not.toContain(
      "certificate",
    );
    expect((await doctor(await game(), kubectl({ ...cluster(), [name]: await secret(-1) }))).text).not.toContain(
      "certificate",
    );
  });
});

describe("scaffold doctor, packages and versions", () => {
  const install = (root: string, name: string, version: string) => {
    mkdirSync(join(root, "node_modules", name), { recursive: true });
    writeFileSync(join(root, "node_modules", name, "package.json"), JSON.stringify({ version }));
  };

  it("reports packages of two versions", async () => {
    const root = await game();
    install(root, "kubewright", "0.9.0");
    install(root, "@kubewright/runtime", "0.10.1-local.habc");
    expect((await doctor(root)).text).toContain(
      "! kubewright 0.9.0 and @kubewright/runtime 0.10.1 must have the same version\n      hint: npm install @kubewright/runtime@0.10.1 && npm install --save-dev kubewright@0.10.1",
    );
  });

  it("reports an installed version that differs from the running one", async () => {
    const root = await game();
    install(root, "kubewright", "9.9.9");
    expect((await doctor(root)).text).toContain(
      `! kubewright ${cliVersion()} is running, but the project has 9.9.9 installed`,
    );
  });

  it("reports a project that was scaffolded with another version", async () => {
    expect((await doctor(await game())).text).toContain(
      `! this project was scaffolded with kubewright 0.0.0, but ${cliVersion()} is running\n      hint: preview the upgrade with npx scaffold upgrade --dry-run`,
    );
  });

  fullTest("reports a missing lock file, and checks the package manager of an existing one", async () => {
    const root = await game();
    expect((await doctor(root)).text).toContain("! no lock file found");
    writeFileSync(join(root, "pnpm-lock.yaml"), "");
    const { text } = await doctor(root);
    expect(text).not.toContain("lock file");
    expect(text).toContain("✗ pnpm not found");
  });

  it("reports a Node version below the one that package.json requires", async () => {
    const root = await game();
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    writeFileSync(join(root, "package.json"), JSON.stringify({ ...manifest, engines: { node: ">=99.1" } }));
    expect((await doctor(root)).text).toContain(
      `✗ node ${process.versions.node} is too old\n      hint: install Node 99.1 or newer`,
    );
  });
});

describe("the output of scaffold doctor", () => {
  it("fits on a screen, has three sections, and has colors only if stdout supports them", async () => {
    const root = await game();
    const { stdout } = await runCli(root, ["doctor"], { env: { PATH: tools("npm", "kubectl"), FORCE_COLOR: "1" } });
    expect(stdout).toContain("\u001b[32m✓\u001b[0m node");
    expect(stdout).toContain("\u001b[33m!\u001b[0m make not found");
    const { text } = await doctor(root);
    const lines = text.split("\n");
    expect(lines.filter((line) => /^\w/.test(line))).toEqual([
      "Machine",
      "Cluster",
      "Project",
      expect.stringMatching(/^No errors, \d+ warnings \(marked !\)\.$/),
    ]);
    expect(lines.length).toBeLessThan(45);
    expect(text).not.toContain("\u001b");
  });

  fullTest("ends with the numbers of errors and warnings", async () => {
    const { text } = await doctor(await game(), tools("npm"));
    const count = (sign: string) => text.split("\n").filter((line) => line.startsWith(`  ${sign} `)).length;
    expect(count("✗")).toBe(1);
    expect(text.trimEnd().split("\n").at(-1)).toBe(`1 error (marked ✗), ${count("!")} warnings (marked !).`);
  });

  fullTest("doesn't wait for a program that hangs, or for its child processes", async () => {
    const path = tools("npm");
    // The child keeps the output open after its parent was killed.
    const pids = testDirectory();
    const program = `#!/bin/sh\nPATH=/usr/bin:/bin\nsleep 600 &\necho $! > "${pids}/$!"\nwait\n`;
    writeFileSync(join(path, "kubectl"), program, { mode: 0o755 });
    try {
      const { code, text } = await doctor(await game(), path);
      expect(code).toBe(1);
      expect(text).toContain("✗ kubectl not found");
    } finally {
      for (const pid of readdirSync(pids)) process.kill(Number(pid));
    }
  });
});
