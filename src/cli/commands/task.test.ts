// The commands that are also targets of the Makefile. Stand-ins record the programs that they call.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { tasks } from "../../tasks/tasks.ts";
import { installTools } from "../../tasks/test-support/tools.ts";
import { runCli } from "../test-support/run-cli.ts";

const names = Object.keys(tasks);

const plain = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});
const withChart = madeOnce(async (root) => {
  await plain(root);
  await runCli(root, ["edit", "--helm"]);
});

async function game(make = plain) {
  const root = testDirectory();
  await make(root);
  const tools = installTools(root);
  const env = { PATH: process.env.PATH ?? "" };
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { root, tools, read, cli: (...argv: string[]) => runCli(root, argv, { env }) };
}

describe("each command", () => {
  it.each(names)("%s requires a project", async (name) => {
    expect(await runCli(testDirectory(), [name])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this directory has no PROJECT file"),
    });
  });

  it.each(names)("%s lists its steps with --dry-run, as JSON too, and changes nothing", async (name) => {
    const { root, cli } = await game(withChart);
    const before = snapshot(root);
    const { code, stdout, stderr } = await cli(name, "--dry-run");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const steps = stdout.trimEnd().split("\n");
    expect(steps).not.toContain("");
    expect(JSON.parse((await cli(name, "--dry-run", "--json")).stdout)).toEqual({ steps });
    expect(snapshot(root)).toEqual(before);
  });

  it("is a target of the Makefile and a script", async () => {
    const { read } = await game(withChart);
    const scripts = Object.values(JSON.parse(read("package.json")).scripts);
    for (const name of names) {
      const passes = ["run", "dev", "helm-deploy"].includes(name) ? " --" : "";
      expect(scripts).toContain(`scaffold ${name}${passes}`);
      const line = name === "run" ? "exec scaffold run -- $(ARGS)" : `scaffold ${name}`;
      if (name !== "dev")
        expect(read("Makefile")).toMatch(new RegExp(`^${name}: ## .*\n\t@${line.replace(/[$()]/g, "\\$&")}$`, "m"));
    }
  });

  it("has the name of a target, and every target is a script", async () => {
    const { root, read } = await game(withChart);
    const { scripts } = JSON.parse(read("package.json"));
    for (const [, target = ""] of read("Makefile").matchAll(/^([a-z0-9-]+):/gm)) {
      expect(scripts[target] ?? scripts[`${target}:crds`], target).toBeDefined();
    }
    expect(readdirSync(join(root, "hack"))).toEqual(["boilerplate.txt"]);
  });
});

describe.runIf(process.platform !== "win32")("the programs", () => {
  it("of build: manifests, format, types, bundle", async () => {
    const { root, tools, cli } = await game();
    expect(await cli("build")).toMatchObject({ code: 0, stdout: "" });
    expect(tools.calls()).toEqual(["biome format --write .", "tsc --noEmit"]);
    expect(readdirSync(join(root, "config/crd/bases"))).toHaveLength(1);
    expect(readdirSync(join(root, "dist")).sort()).toEqual(["main.js", "package.json"]);
  });

  it("of build --bundle-only: none but esbuild", async () => {
    const { root, tools, cli } = await game();
    expect(await cli("build", "--bundle-only", "--json")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"write dist/package.json"'),
    });
    expect(tools.calls()).toEqual([]);
    expect(readdirSync(join(root, "dist"))).toContain("main.js");
  });

  it("receive variables from the environment, from arguments and from flags", async () => {
    const { root, tools } = await game();
    tools.program("mine", "echo 'kind: X'");
    const env = { PATH: process.env.PATH ?? "", KUBECTL: "mine", "ignore-not-found": "true" };
    expect(await runCli(root, ["undeploy"], { env })).toMatchObject({ code: 0 });
    expect(tools.calls()).toEqual(["mine kustomize dist/deploy", "mine delete --ignore-not-found=true -f -"]);
    const deletes = async (...argv: string[]) => {
      await runCli(root, ["undeploy", ...argv], { env: { PATH: env.PATH, IGNORE_NOT_FOUND: "false" } });
      return tools.calls().at(-1);
    };
    expect(await deletes()).toBe("kubectl delete --ignore-not-found=false -f -");
    expect(await deletes("ignore-not-found=true")).toBe("kubectl delete --ignore-not-found=true -f -");
    expect(await deletes("--ignore-not-found")).toBe("kubectl delete --ignore-not-found=true -f -");
    expect(await deletes("KUBECTL=mine", "KUSTOMIZE=mine build")).toBe("mine delete --ignore-not-found=false -f -");
    expect(tools.calls()).toContain("mine build dist/deploy");
  });

  it("of helm-deploy receive the flags after --", async () => {
    const { tools, cli } = await game(withChart);
    tools.program("helm");
    expect(await cli("helm-rollback")).toMatchObject({ code: 0 });
    expect(tools.calls().at(-1)).toBe("helm rollback mygame --namespace mygame-system");
    const { stdout } = await cli("helm-deploy", "--dry-run", "--", "--set", "a=b");
    expect(stdout).toMatch(
      /^scaffold generate --helm\nhelm upgrade --install mygame chart .* --timeout=5m --set a=b\n$/,
    );
  });
});

describe.runIf(process.platform !== "win32")("a failure", () => {
  it.each<[string, readonly string[], number, string]>([
    ["an unknown variable", ["deploy", "IMGG=a"], 2, '"IMGG=a" isn\'t valid, it must be NAME=value'],
    ["an argument that sets no variable", ["docker-push", "image"], 2, '"image" isn\'t valid'],
    ["an argument of a command without variables", ["build", "now"], 2, 'takes only flags: unexpected "now"'],
    ["a program that isn't installed", ["install", "KUBECTL=no-such-program"], 1, "can't run no-such-program"],
    ["no chart", ["helm-status"], 1, "can't run Helm: this project has no chart"],
  ])("%s", async (_, argv, code, message) => {
    const { cli } = await game();
    expect(await cli(...argv)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) });
    const { diagnostics } = JSON.parse((await cli(...argv, "--json")).stdout);
    expect(diagnostics).toMatchObject([{ severity: "error", message: expect.stringContaining(message) }]);
  });

  it("of a program ends the command, and names the exit code", async () => {
    const { tools, cli } = await game();
    tools.program("tsc", "exit 7");
    expect(await cli("build")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("tsc --noEmit failed with exit code 7"),
    });
  });

  it("of a missing tool of the project says how to install it", async () => {
    const { root, cli } = await game();
    rmSync(join(root, "node_modules"), { recursive: true });
    const hint = expect.stringContaining("install the packages of the project: npm install");
    expect(await cli("build", "--bundle-only")).toMatchObject({ code: 1, stderr: hint });
    const here = { env: { PATH: "/nowhere" } };
    expect(await runCli(root, ["build"], here)).toMatchObject({ code: 1, stderr: hint });
  });

  it("of the generator ends the command with its diagnostics", async () => {
    const { root, tools, cli } = await game();
    const types = join(root, "api/v1/game-types.ts");
    writeFileSync(types, readFileSync(types, "utf8").replace("foo?: string", "foo?: () => void"));
    expect(await cli("build")).toMatchObject({ code: 1, stderr: expect.stringContaining("game-types.ts") });
    const { diagnostics } = JSON.parse((await cli("deploy", "--json")).stdout);
    expect(diagnostics).toMatchObject([{ file: "api/v1/game-types.ts", severity: "error" }]);
    expect(tools.calls()).toEqual([]);
  });
});

describe.runIf(process.platform !== "win32")("scaffold run", () => {
  it("passes flags to the manager, and returns its exit code", async () => {
    const { root, tools, cli } = await game();
    const called = `import { writeFileSync } from "node:fs"; writeFileSync("called", JSON.stringify(process.argv.slice(2)));`;
    tools.manager(called);
    expect(await cli("run", "--", "--leader-elect", "--json")).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(root, "called"), "utf8"))).toEqual(["--leader-elect", "--json"]);
    tools.manager(`${called} process.exit(3);`);
    expect(await cli("run")).toMatchObject({ code: 3, stderr: expect.stringContaining("failed with exit code 3") });
  });
});
