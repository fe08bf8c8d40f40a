import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { newProjectText } from "../../project/project-file.ts";
import { createApi, createWebhook, initProject } from "../../scaffold/test-support/game.ts";
import { madeOnce, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { findProgram } from "./programs.ts";

/** Every program that a command starts. */
const names = [
  "kubectl",
  "docker",
  "make",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "git",
  "setup-envtest",
  "kustomize",
  "podman",
];
/** A program that another program starts, such as a credential helper of kubectl. */
const helper = "credential-helper";
const canary = "canary";

function writeProgram(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

const makeProject = madeOnce(async (root) => {
  await initProject(root, { webhookCerts: "self" });
  await createApi(root);
  await createWebhook(root, { defaulting: true });
});

function onlyProjectFile(root: string): void {
  const names = { domain: "example.com", projectName: "mygame", repo: "mygame", cliVersion: "0.0.0" };
  writeFileSync(join(root, "PROJECT"), newProjectText({ ...names, multigroup: false, namespaced: false }));
}

/** Creates a project with programs in one of its directories that write a file when they run. */
async function projectWithPrograms(directory: string, make: (root: string) => unknown = onlyProjectFile) {
  const home = testDirectory();
  const root = join(home, "checkout");
  mkdirSync(root);
  await make(root);
  const mark = join(home, canary);
  for (const name of [...names, helper]) {
    writeProgram(join(root, directory, name), `#!/bin/sh\necho "${name} $*" >> '${mark}'\n`);
  }
  return { home, root, ran: () => existsSync(mark) };
}

/** Creates a directory of installed programs, which print a version. */
function installedPrograms(answer = "echo v1.2.3"): string {
  const directory = testDirectory();
  for (const name of names) writeProgram(join(directory, name), `#!/bin/sh\n${answer}\n`);
  return directory;
}

describe("programs in a checkout", () => {
  const pathEntries: readonly (readonly [string, string, (root: string) => string])[] = [
    ["node_modules/.bin, as npx adds it", "node_modules/.bin", (root) => join(root, "node_modules/.bin")],
    ["a relative entry of PATH", "bin", () => "bin"],
    ["./ in PATH", ".", () => "./"],
    ["an empty entry of PATH", ".", () => ""],
    ["an entry of PATH that points into the project", "hack/bin", (root) => join(root, "hack/bin")],
    ["an entry of PATH that points into the project with dots", "bin", (root) => `${root}/../checkout/./bin`],
    ["an entry of PATH with ..", "bin", () => "../checkout/bin"],
  ];

  it.each(pathEntries)("aren't run by doctor: %s", async (_, directory, entry) => {
    const { root, ran } = await projectWithPrograms(directory);
    const path = [entry(root), installedPrograms()].join(delimiter);
    const { stdout } = await runCli(root, ["doctor"], { env: { PATH: path } });
    expect(ran()).toBe(false);
    expect(stdout).toContain("✓ kubectl 1.2.3");
  });

  it.each(pathEntries)("aren't run if no such program is installed: %s", async (_, directory, entry) => {
    const { root, ran } = await projectWithPrograms(directory);
    const { stdout } = await runCli(root, ["doctor"], { env: { PATH: entry(root) } });
    expect(ran()).toBe(false);
    expect(stdout).toContain("! kubectl not checked: it was found only inside this project, at ");
  });

  it("aren't run through a link outside of it", async () => {
    const { home, root, ran } = await projectWithPrograms("bin");
    symlinkSync(join(root, "bin"), join(home, "linked"));
    mkdirSync(join(home, "single"));
    for (const name of names) symlinkSync(join(root, "bin", name), join(home, "single", name));
    for (const path of ["linked", "single"]) {
      await runCli(root, ["doctor"], { env: { PATH: join(home, path) } });
    }
    expect(ran()).toBe(false);
  });

  it("aren't run from node_modules/.bin of a parent directory or from outside a nested project", async () => {
    const { home, root, ran } = await projectWithPrograms("node_modules/.bin");
    const nested = join(root, "deep/nested");
    mkdirSync(nested, { recursive: true });
    await runCli(nested, ["doctor"], { env: { PATH: join(root, "node_modules/.bin") } });
    for (const name of names)
      writeProgram(join(home, "node_modules/.bin", name), `#!/bin/sh\n: > '${join(home, canary)}'\n`);
    await runCli(root, ["doctor"], { env: { PATH: join(home, "node_modules/.bin") } });
    expect(ran()).toBe(false);
  });

  it("aren't run if an environment variable names them", async () => {
    const { root, ran } = await projectWithPrograms("bin");
    const env = {
      KUBECTL: "bin/kubectl",
      KUSTOMIZE: "./bin/kustomize build",
      CONTAINER_TOOL: join(root, "bin/podman"),
    };
    const { stdout } = await runCli(root, ["doctor"], { env: { ...env, PATH: installedPrograms() } });
    expect(ran()).toBe(false);
    expect(stdout).toContain("! bin/kubectl not checked: it was found only inside this project, at bin/kubectl");
  });

  it("aren't run by an installed program either", async () => {
    const { root, ran } = await projectWithPrograms("node_modules/.bin");
    const path = [
      join(root, "node_modules/.bin"),
      "",
      "bin",
      installedPrograms(`${helper} 2>/dev/null; echo v1.2.3`),
      "/bin",
    ];
    await runCli(root, ["doctor"], { env: { PATH: path.join(delimiter) } });
    expect(ran()).toBe(false);
  });

  it("aren't found by findProgram, unlike programs in the home directory around the checkout", () => {
    const home = testDirectory();
    vi.stubEnv("HOME", home);
    writeProgram(join(home, "bin/kubectl"), "");
    mkdirSync(join(home, "checkout/bin"), { recursive: true });
    writeFileSync(join(home, "checkout/PROJECT"), "");
    writeProgram(join(home, "checkout/bin/kubectl"), "");
    const path = [join(home, "checkout/bin"), join(home, "bin")].join(delimiter);
    const expected = { path: join(home, "bin/kubectl") };
    for (const cwd of [home, join(home, "checkout"), join(home, "checkout/bin")]) {
      const own = cwd === home ? { path: join(home, "checkout/bin/kubectl") } : expected;
      expect(findProgram("kubectl", { env: { PATH: path }, cwd })).toEqual(own);
    }
    vi.unstubAllEnvs();
  });
});

describe("configuration in a checkout that names programs", () => {
  it("isn't read by the package managers whose version doctor prints", async () => {
    const { root } = await projectWithPrograms("bin");
    const where = join(testDirectory(), "cwd");
    writeFileSync(join(root, "yarn.lock"), "");
    await runCli(root, ["doctor"], { env: { PATH: installedPrograms(`/bin/pwd >> '${where}'; echo v1.2.3`) } });
    expect(execFileSync("sort", ["-u", where], { encoding: "utf8" })).toBe("/\n");
  });

  it.each(["kubeconfig", "./a/../kubeconfig", "/nowhere:kubeconfig", "$root/kubeconfig"])(
    "isn't passed to kubectl as KUBECONFIG=%s",
    async (value) => {
      const { home, root } = await projectWithPrograms("bin");
      const calls = join(home, "calls");
      const user = {
        name: "u",
        user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./bin/make" } },
      };
      writeFileSync(join(root, "kubeconfig"), JSON.stringify({ users: [user] }));
      const env = {
        PATH: installedPrograms(`echo "$*" >> '${calls}'; echo v1.2.3`),
        KUBECONFIG: value.replace("$root", root).replaceAll(":", delimiter),
      };
      const { stdout } = await runCli(root, ["doctor"], { env });
      expect(stdout).toMatch(/! cluster not checked: the kubeconfig \S+ is in this project and can run programs/);
      const asked = execFileSync("cat", [calls], { encoding: "utf8" }).split("\n");
      expect(asked.filter((line) => line.includes("--request-timeout"))).toEqual([]);
    },
  );

  it.each([
    ["namePrefix: --kubeconfig=bin/\n", "get secret mygame-webhook-server-cert -n mygame-system"],
    ["namePrefix: -\nnamespace: --kubeconfig=x\n", "get secret mygame-webhook-server-cert -n mygame-system"],
    ["namePrefix: [a]\nnamespace: {}\n", "get secret mygame-webhook-server-cert -n mygame-system"],
    ["namePrefix: other-\nnamespace: mine\n", "get secret other-webhook-server-cert -n mine"],
  ])("doesn't become a flag of kubectl: %j", async (text, expected) => {
    const { home, root } = await projectWithPrograms("bin", makeProject);
    const calls = join(home, "calls");
    writeProgram(join(root, "config/default/kustomization.yaml"), text);
    await runCli(root, ["doctor"], { env: { PATH: installedPrograms(`echo "$*" >> '${calls}'; echo v1.2.3`) } });
    const asked = execFileSync("cat", [calls], { encoding: "utf8" }).split("\n");
    expect(asked.filter((line) => line.startsWith("get "))).toEqual([
      `${expected} -o json --ignore-not-found --request-timeout=3s`,
    ]);
  });

  it("isn't used by git in generate --against", async () => {
    const { home, root } = await projectWithPrograms("bin", makeProject);
    const mark = join(home, canary);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
    const path = process.env.PATH ?? "";
    const generate = (...args: string[]) => runCli(root, ["generate", ...args], { env: { PATH: path } });
    expect(await generate()).toMatchObject({ code: 0 });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-qm", "x");
    const evil = join(home, "evil.sh");
    writeProgram(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`);
    writeProgram(join(root, ".git/hooks/post-index-change"), `#!/bin/sh\n: > '${mark}'\n`);
    for (const [key, value] of [
      ["core.fsmonitor", evil],
      ["core.pager", evil],
      ["core.sshCommand", evil],
      ["core.gitProxy", evil],
      ["core.editor", evil],
      ["core.askPass", evil],
      ["diff.external", evil],
      ["diff.x.textconv", evil],
      ["filter.x.smudge", evil],
      ["credential.helper", `!${evil}`],
      ["gpg.program", evil],
      ["extensions.partialClone", "origin"],
      ["core.repositoryFormatVersion", "1"],
      ["remote.origin.url", `ext::${evil}`],
      ["remote.origin.uploadpack", evil],
      ["remote.origin.promisor", "true"],
      ["protocol.ext.allow", "always"],
      ["alias.rev-parse", `!${evil}`],
      ["alias.cat-file", `!${evil}`],
    ]) {
      git("config", key as string, value as string);
    }
    writeFileSync(join(root, ".gitattributes"), "* diff=x filter=x\n");
    expect(await generate("--check", "--against", "main")).toMatchObject({ code: 0, stderr: "" });
    const absent = "0123456789012345678901234567890123456789";
    expect(await generate("--check", "--against", absent)).toMatchObject({ code: 1 });
    // Git would fetch an object of the commit that the clone lacks.
    const blob = git("rev-parse", "main:config/crd/bases/myapp.qingwave.github.io_games.yaml").toString().trim();
    execFileSync("rm", ["-f", join(root, ".git/objects", blob.slice(0, 2), blob.slice(2))]);
    await generate("--check", "--against", "main");
    expect(existsSync(mark)).toBe(false);
  });
});
