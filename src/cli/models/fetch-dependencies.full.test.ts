import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { packageManager } from "./fetch-dependencies.ts";

const init = ["init", "--domain", "example.com", "--project-name", "mygame"];
const agents = {
  npm: "npm/11.19.1 node/v20.20.2 linux x64 workspaces/false",
  pnpm: "pnpm/10.34.8 npm/? node/v20.20.2 linux x64",
  classic: "yarn/1.22.22 npm/? node/v20.20.2 linux x64",
  berry: "yarn/4.18.1 npm/? node/v20.20.2 linux x64",
  bun: "bun/1.3.0 npm/? node/v24.3.0 linux x64",
};

/** Creates an empty directory, and a package manager on PATH that is a shell script. Returns what a call of `init` needs. */
function installed(name: string, agent: string, script: (calls: string) => string) {
  const root = testDirectory();
  const [programs, project, calls] = [join(root, "bin"), join(root, "project"), join(root, "calls")];
  for (const directory of [programs, project]) mkdirSync(directory);
  writeFileSync(join(programs, name), `#!/bin/sh\n${script(calls)}\n`);
  chmodSync(join(programs, name), 0o755);
  const env = { PATH: [programs, process.env.PATH].join(delimiter), npm_config_user_agent: agent };
  return { project, env, calls: () => readFileSync(calls, "utf8") };
}

describe("the package manager", () => {
  it.each([
    [undefined, "npm", undefined],
    ["", "npm", undefined],
    ["somebody/1.0.0", "npm", undefined],
    [agents.npm, "npm", "11.19.1"],
    [agents.pnpm, "pnpm", "10.34.8"],
    [agents.classic, "yarn", "1.22.22"],
    [agents.berry, "yarn", "4.18.1"],
    [agents.bun, "bun", "1.3.0"],
  ])("is detected from the user agent %j: %s %s", (agent, name, version) => {
    expect(packageManager(agent)).toEqual({ name, version });
  });

  it.each([
    ["npm", agents.npm, "install --prefer-offline"],
    ["pnpm", agents.pnpm, "install --no-frozen-lockfile"],
    ["yarn", agents.berry, "install"],
  ])("writes a lock file even in CI (%s)", async (name, agent, args) => {
    const { project, env, calls } = installed(
      name,
      agent,
      (file) => `echo "$@ $YARN_ENABLE_IMMUTABLE_INSTALLS" > '${file}'`,
    );
    expect(await runCli(project, init, { env: { ...env, CI: "true" } })).toMatchObject({ code: 0 });
    expect(calls()).toBe(`${args} false\n`);
  });

  it("asks the registry again if npm's cache has too old a list of versions", async () => {
    const { project, env, calls } = installed(
      "npm",
      agents.npm,
      (file) => `echo "$@" >> '${file}'\n[ $# = 1 ] || { echo "npm error code ETARGET" >&2; exit 1; }`,
    );
    expect(await runCli(project, init, { env })).toMatchObject({ code: 0 });
    expect(calls()).toBe("install --prefer-offline\ninstall\n");
  });
});

describe("a failed installation", () => {
  it.each([
    [
      "stderr",
      "npm error code E404\nnpm error 404 Not Found\n",
      "",
      "npm error code E404\n  npm error 404 Not Found\n",
    ],
    [
      "stdout, as with Yarn",
      "",
      "➤ YN0000: ┌ Resolution step\n➤ YN0035: │ a: not found\n",
      "➤ YN0035: │ a: not found\n",
    ],
  ])("is reported with the lines of its cause, from %s", async (_, stderr, stdout, shown) => {
    const script = `printf '${stdout}'\nprintf '${stderr}' >&2\nexit 1`;
    const { project, env } = installed("npm", agents.npm, () => script);
    const end = await runCli(project, init, { env });
    expect(end.code).toBe(1);
    expect(end.stderr).toContain(`hint: fix the cause, then run "npm install" in the project\n  ${shown}`);
  });
});

describe("a new project", () => {
  const start = async (agent: string, files: Record<string, string> = {}) => {
    const root = testDirectory(files);
    const options = { env: { npm_config_user_agent: agent } };
    const end = await runCli(root, [...init, "--fetch-deps=false"], options);
    expect(end).toMatchObject({ code: 0 });
    const text = (path: string) => readFileSync(join(root, path), "utf8");
    return { root, end, text, manager: JSON.parse(text("package.json")).packageManager as string | undefined };
  };

  it("names no package manager if it is npm or bun", async () => {
    for (const agent of [agents.npm, agents.bun]) expect((await start(agent)).manager).toBeUndefined();
  });

  it("names pnpm or yarn with its version, which upgrade leaves unchanged", async () => {
    for (const agent of [agents.pnpm, agents.classic, agents.berry]) {
      const { root, manager } = await start(agent);
      expect(manager).toBe(agent.split(" ")[0]?.replace("/", "@"));
      expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0, stdout: "" });
    }
  });

  it("keeps the package manager's version in an existing package.json", async () => {
    const { manager } = await start(agents.pnpm, { "package.json": '{"packageManager":"pnpm@9.0.0"}' });
    expect(manager).toBe("pnpm@9.0.0");
  });

  it("links packages into node_modules with yarn 2 and later, because make runs programs there", async () => {
    const { text } = await start(agents.berry);
    expect(text(".yarnrc.yml")).toBe("nodeLinker: node-modules\n");
    const joined = await start(agents.berry, { ".yarnrc.yml": "enableTelemetry: false" });
    expect(joined.text(".yarnrc.yml")).toBe("enableTelemetry: false\nnodeLinker: node-modules\n");
    expect(joined.end.stderr).toContain('.yarnrc.yml: "nodeLinker: node-modules" is added');
    const theirs = await start(agents.berry, { ".yarnrc.yml": "nodeLinker: pnp\n" });
    expect(theirs.text(".yarnrc.yml")).toBe("nodeLinker: pnp\n");
    expect(theirs.end.stderr).toContain(".yarnrc.yml has another nodeLinker");
  });

  it("has scripts that run in cmd.exe, PowerShell, sh and Yarn's own shell", async () => {
    for (const agent of [agents.berry, agents.npm]) {
      const { scripts } = JSON.parse((await start(agent)).text("package.json"));
      expect(scripts.start).toBe("node --v8-pool-size=1 dist/main.js");
      // Programs and their arguments, one after another: no variables, quotes, redirections or built-in commands.
      const portable = /^(biome|node|npm|scaffold|setup-envtest|tsc|vitest)( [\w=./:-]+)*$/;
      const calls = Object.values<string>(scripts).flatMap((script) => script.split(" && "));
      expect(calls.filter((call) => !portable.test(call))).toEqual([]);
    }
  });

  it("has no .yarnrc.yml with yarn 1 or pnpm", async () => {
    for (const agent of [agents.classic, agents.pnpm]) {
      expect(snapshot((await start(agent)).root)).not.toHaveProperty([".yarnrc.yml"]);
    }
  });
});
