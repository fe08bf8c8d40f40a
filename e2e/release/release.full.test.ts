// Makes a release into a registry on this machine, and uses it with each package manager from an empty directory to an
// image, without Go and without files of this checkout.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allScripts } from "../../scripts/docs/scripts.ts";
import { install, must, run } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { narrowPath, target } from "../../scripts/test-support/tools.ts";
import { readWorkflow, runJob, type Step } from "../../scripts/test-support/workflow.ts";
import { buildImage } from "../image/image.ts";
import { onlyForWindows, Registry } from "./registry.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-release-"));
const repository = join(scratch, "repository");
const tools = join(checkout, "e2e/release");
const manifestOf = (directory: string) => JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
const { version } = manifestOf(checkout) as { version: string };
const next = version.replace(/^(\d+)\.(\d+)\..*/, (_, major, minor) => `${major}.${Number(minor) + 1}.0`);
const names = ["kubewright", "@kubewright/runtime", "@kubewright/apiserver", "@kubewright/cel", "create-kubewright"];
const directories = ["", "packages/runtime", "packages/apiserver", "packages/cel", "packages/create-kubewright"];
let registry: Registry;

/** Removes the variables of package managers and test runners, which users don't have. */
const clearedVariables = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(npm_|pnpm_|yarn_|init_cwd$|node_env$|vitest|kubebuilder_assets$)/i.test(name))
    .map((name) => [name, undefined]),
);

beforeAll(async () => {
  await install(tools);
  registry = await Registry.start(join(scratch, "registry"));
});
afterAll(async () => {
  await registry?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe("the release workflow", { sequential: true }, () => {
  const text = (path: string) => readFileSync(join(repository, path), "utf8");
  const git = (...args: string[]) => must("git", args, { cwd: repository, env: author });
  const author = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "Releaser"],
      [`GIT_${who}_EMAIL`, "releaser@example.com"],
    ]),
  );

  beforeAll(async () => {
    const left =
      /^(node_modules|\.git|\.cache|coverage|dist|packages\/(runtime|apiserver|cel)\/(dist|node_modules)|packages\/runtime\/src\/api\/[^/]+\/.*)$/;
    const nested = /(^|\/)node_modules$/;
    cpSync(checkout, repository, {
      recursive: true,
      filter: (source) => {
        const path = relative(checkout, source);
        return !left.test(path) && !nested.test(path);
      },
    });
    const note = `---\n${names.map((name) => `"${name}": minor\n`).join("")}---\n\nA release that a test makes.\n`;
    writeFileSync(join(repository, ".changeset/a-test.md"), note);
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Everything");
  });

  it("moves the notes to the changelogs, and publishes all packages", async () => {
    const npmrc = join(scratch, "npmrc");
    const { stdout: cache } = await must("npm", ["config", "get", "cache"], { cwd: checkout });
    writeFileSync(npmrc, registry.npmrc());
    const env = { ...clearedVariables, ...author, npm_config_cache: cache.trim() };
    /** Replaces the action, as if its pull request were merged immediately. Provenance can't be signed here. */
    const changesets = async ({ with: given, env: own }: Step) => {
      const to = { npm_config_userconfig: npmrc, npm_config_registry: registry.url };
      const options = { cwd: repository, env: { ...env, ...own, ...to, NPM_CONFIG_PROVENANCE: "false" } };
      await must("bash", ["-e", "-c", String(given?.version)], options);
      await git("commit", "--quiet", "--all", "--message", String(given?.commit));
      return run("bash", ["-e", "-c", String(given?.publish)], options);
    };
    // Only GitHub evaluates the conditions for publishing.
    const {
      if: _if,
      environment: _environment,
      ...job
    } = readWorkflow(join(repository, ".github/workflows/release.yml")).jobs.release!;
    const done = async () => undefined;
    const actions = { "actions/checkout": done, "actions/setup-node": done, "changesets/action": changesets };
    const ends = await runJob(job, { cwd: repository, env, actions });
    expect(ends.at(-1), ends.at(-1)?.stderr).toMatchObject({ code: 0 });
    for (const name of names) {
      expect(ends.at(-1)?.stdout).toContain(`New tag:  ${name}@${next}`);
      expect((await registry.packument(name))["dist-tags"].latest).toBe(next);
    }
  });

  it("sets the same version in all packages and references", async () => {
    for (const directory of directories) expect(manifestOf(join(repository, directory)).version).toBe(next);
    const { packages } = JSON.parse(text("package-lock.json"));
    for (const path of directories) expect(packages[path].version).toBe(next);
    expect(text("packages/runtime/src/transport/user-agent.ts")).toContain(`"${next}"`);
    expect(text("e2e/game/testdata/crd.yaml")).toContain(`kubewright-v${next}\n`);
    for (const path of directories.map((directory) => join(directory, "CHANGELOG.md"))) {
      expect(text(path)).toMatch(
        new RegExp(`^# .*\\n\\n## ${next}\\n+### Minor Changes\\n\\n- .*A release that a test`),
      );
      expect(text(path)).toContain(`\n## ${version}\n`);
    }
    expect(existsSync(join(repository, ".changeset/a-test.md"))).toBe(false);
    expect((await git("status", "--porcelain")).stdout).toBe("");
  });
});

interface Manager {
  name: "npm" | "pnpm" | "yarn";
  /** Runs a package that isn't installed. */
  once: string[];
  /** Creates a project in the directory `website`. */
  create: string;
  /** Runs a program of an installed package. */
  exec: string[];
  lock: string;
  /** Its package in the tools directory, and its script in the package. */
  script?: [string, string];
}

const managers: Manager[] = [
  {
    name: "npm",
    once: ["npx", "--yes"],
    create: "npm create --yes kubewright@latest website -- --domain example.com",
    exec: ["npx"],
    lock: "package-lock.json",
  },
  {
    name: "pnpm",
    once: ["pnpm", "dlx"],
    create: "pnpm create kubewright@latest website --domain example.com",
    exec: ["pnpm", "exec"],
    lock: "pnpm-lock.yaml",
    script: ["pnpm", "bin/pnpm.cjs"],
  },
  // Yarn 4, which init configures to use node_modules.
  {
    name: "yarn",
    once: ["yarn", "dlx"],
    create: "yarn dlx create-kubewright@latest website --domain example.com",
    exec: ["yarn"],
    lock: "yarn.lock",
    script: ["@yarnpkg/cli-dist", "bin/yarn.js"],
  },
];

describe.each(managers)("a user with $name", { sequential: true }, ({ name, once, create, exec, lock, script }) => {
  const home = join(scratch, name, "home");
  const project = join(scratch, name, "mygame");
  const kind = "--group myapp --version v1 --kind Game".split(" ");
  let env: Record<string, string | undefined> = {};
  const call = ([command = "", ...args]: readonly string[]) => must(command, args, { cwd: project, env });
  const scaffold = (...args: string[]) => call([...exec, "scaffold", ...args]);

  beforeAll(() => {
    for (const directory of [home, project]) mkdirSync(directory, { recursive: true });
    writeFileSync(join(home, ".npmrc"), registry.npmrc({ "update-notifier": "false" }));
    const berry = [
      `npmRegistryServer: "${registry.url}"`,
      "unsafeHttpWhitelist: [127.0.0.1]",
      "enableTelemetry: false",
      // By default, Yarn rejects packages that are younger than a day, as a protection against attacks.
      `npmPreapprovedPackages: [kubewright, create-kubewright, "@kubewright/*", ${onlyForWindows}]`,
    ];
    writeFileSync(join(home, ".yarnrc.yml"), `${berry.join("\n")}\n`);
    const programs = ["sh", "node", "npm", "npx", "make", "kubectl", "uname", "dirname", "sed"];
    const path = narrowPath(join(scratch, name, "bin"), programs);
    const program = (as: string, text: string) => {
      writeFileSync(join(path, as), `#!/bin/sh\n${text}\n`);
      chmodSync(join(path, as), 0o755);
    };
    const packaged = (as: string, ...script: string[]) =>
      program(as, `exec node '${join(tools, "node_modules", ...script)}' "$@"`);
    if (script !== undefined) packaged(name, ...script);
    packaged("corepack", "corepack/dist/corepack.js");
    // The registry doesn't forward the signatures of packages.
    const corepack = { COREPACK_NPM_REGISTRY: new URL(registry.url).origin, COREPACK_INTEGRITY_KEYS: "0" };
    env = {
      ...clearedVariables,
      ...corepack,
      HOME: home,
      PATH: path,
      XDG_DATA_HOME: undefined,
      XDG_CACHE_HOME: undefined,
    };
  });

  it("scaffolds a project in an empty directory", async () => {
    expect((await run("sh", ["-c", "command -v go"], { cwd: project, env })).code).not.toBe(0);
    await call([
      ...once,
      "kubewright@latest",
      "init",
      "--domain",
      "qingwave.github.io",
      "--repo",
      "qingwave.github.io/mygame",
    ]);
    const { dependencies, devDependencies, packageManager } = manifestOf(project);
    const own = [
      devDependencies.kubewright,
      devDependencies["@kubewright/apiserver"],
      dependencies["@kubewright/runtime"],
    ];
    expect(own).toEqual([`^${next}`, `^${next}`, `^${next}`]);
    expect(existsSync(join(project, "vendor"))).toBe(false);
    expect(existsSync(join(project, lock))).toBe(true);
    const manager =
      script === undefined ? undefined : `${name}@${manifestOf(join(tools, "node_modules", script[0])).version}`;
    expect(packageManager).toBe(manager);
    expect(manifestOf(join(project, "node_modules/@kubewright/runtime")).version).toBe(next);
  });

  it("adds a kind and its webhooks, and generates manifests", async () => {
    await scaffold("create", "api", ...kind, "--resource", "--controller");
    await scaffold("create", "webhook", ...kind, "--defaulting", "--programmatic-validation");
    await call(target("manifests"));
    expect(existsSync(join(project, "config/crd/bases/myapp.qingwave.github.io_games.yaml"))).toBe(true);
    await scaffold("generate", "--check");
    expect(await scaffold("version")).toMatchObject({ stdout: expect.stringContaining(`kubewright ${next} `) });
  });

  it("type-checks, tests and builds", async () => {
    for (const task of ["typecheck", "lint", "test", "build"]) await call([name, "run", task]);
  });

  if (name === "npm") {
    it("upgrades with the commands of docs/guides/upgrade.md", async () => {
      const [script] = allScripts().filter(({ page }) => page === "docs/guides/upgrade.md");
      const { stdout } = await call(["sh", "-ec", script!.text]);
      expect(stdout).toContain("The project is up to date");
      expect(manifestOf(project).dependencies["@kubewright/runtime"]).toBe(`^${next}`);
    });
  }

  it("creates a project with a working operator", async () => {
    await must("sh", ["-ec", create], { cwd: join(scratch, name), env });
    const website = join(scratch, name, "website");
    expect(existsSync(join(website, lock))).toBe(true);
    for (const task of ["build", "lint", "test"]) await must(name, ["run", task], { cwd: website, env });
  });

  it("builds an image with the lock file", async () => {
    const { root, entrypoint } = await buildImage(project, join(scratch, name, "image"), { installing: env });
    const options = entrypoint.slice(1, -1);
    const main = entrypoint.at(-1)!;
    const end = await run(process.execPath, [...options, join(root, main), "--nonsense"], { cwd: scratch });
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("unknown flag --nonsense") });
    expect(basename(main)).toBe("main.js");
  });
});
