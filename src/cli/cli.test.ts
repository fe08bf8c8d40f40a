import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadSources, sourcesEnv } from "../../scripts/test-support/from-sources.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { withLock } from "../scaffold/files/lock.ts";
import { initProject } from "../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../scaffold/test-support/tree.ts";
import { reportError } from "./framework/report.ts";
import { runCli } from "./test-support/run-cli.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const createGame = ["create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game"];

/** Returns the packages that a file loads at startup, directly and through its imports. */
function loadedPackages(file: string, seen = new Set<string>(), packages = new Set<string>()): Set<string> {
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm,
  )) {
    if (specifier.startsWith(".")) loadedPackages(join(dirname(file), specifier), seen, packages);
    else if (!specifier.startsWith("node:")) packages.add(specifier);
  }
  return packages;
}

async function project(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  return root;
}

describe("help and version", () => {
  it.each([[], ["--help"], ["-h"], ["help"]])("lists the commands for scaffold %s", async (...argv) => {
    const { code, stdout, stderr } = await runCli(testDirectory(), argv);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    for (const name of ["init", "create api", "generate", "version", "help"]) expect(stdout).toContain(`\n  ${name} `);
  });

  it.each([
    ["create", "api", "--help"],
    ["help", "create", "api"],
    ["create", "api", "-h"],
    ["--help", "create", "api"],
  ])("describes a command for scaffold %s %s %s", async (...argv) => {
    const { code, stdout } = await runCli(testDirectory(), argv);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: scaffold create api");
    for (const flag of ["--group", "--controller", "--dry-run"]) expect(stdout).toContain(flag);
  });

  it("prints the version as text and as JSON", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    for (const argv of [["version"], ["--version"], ["-V"]]) {
      expect(await runCli(testDirectory(), argv)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(`^kubewright ${version} `),
      });
    }
    const { stdout } = await runCli(testDirectory(), ["version", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version, node: process.versions.node });
  });

  it.each([
    ["scaffold version", "framework/version.ts", []],
    ["scaffold --help", "main.ts", []],
    ["scaffold create api --help", "commands/create-api.ts", ["@kubewright/cel/yaml", "yaml"]],
    ["scaffold init --help", "commands/init.ts", []],
  ])("loads no compiler, templates or prompts for %s", (_, file, packages) => {
    expect([...loadedPackages(fileURLToPath(new URL(file, import.meta.url)))].sort()).toEqual(packages);
  });
});

describe("every command", () => {
  it("lists all paths with --dry-run and writes nothing", async () => {
    const root = await project();
    const before = snapshot(root);
    const { code, stdout } = await runCli(root, [...createGame, "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain("create api/v1/game-types.ts\n");
    expect(stdout).toContain("update PROJECT\n");
    const json = JSON.parse((await runCli(root, [...createGame, "--dry-run", "--json"])).stdout);
    expect(json.operations).toContainEqual({ op: "create", path: "api/v1/game-types.ts" });
    expect(json.operations.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`)).toEqual(
      stdout.trimEnd().split("\n"),
    );
    expect(snapshot(root)).toEqual(before);
  });

  it("accepts --plugins with the layout's key, as kubebuilder does", async () => {
    const root = await project();
    expect(await runCli(root, [...createGame, "--plugins", "ts.kubewright.io/v1"])).toMatchObject({ code: 0 });
    expect(await runCli(root, [...createGame, "--help"])).toMatchObject({
      stdout: expect.not.stringContaining("--plugins"),
    });
  });

  it("prints its operations with --json", async () => {
    const root = await project();
    const { stdout, code } = await runCli(root, ["--json", ...createGame]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).operations).toContainEqual({ op: "update", path: "PROJECT" });
  });

  it("reports a permission error without calling it a bug", () => {
    const error = Object.assign(new Error("EACCES: permission denied, open '/a/PROJECT'"), {
      code: "EACCES",
      syscall: "open",
      path: "/a/PROJECT",
    });
    let stderr = "";
    const stream = { write: (text: string) => (stderr += text) } as unknown as NodeJS.WriteStream;
    const globals = { json: false, dryRun: false, verbose: false, quiet: false, yes: false, agreed: false };
    expect(reportError(error, globals, { stdout: stream, stderr: stream }, false)).toBe(1);
    expect(stderr).toBe(
      "error: /a/PROJECT: permission denied (EACCES)\n  hint: check the permissions of the file and of its directory\n",
    );
  });

  it("warns of a cluster-scoped kind that the Roles of a namespaced project don't cover", async () => {
    const root = testDirectory();
    await initProject(root, { namespaced: true });
    const { code, stderr } = await runCli(root, [...createGame, "--namespaced=false"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: Game is cluster-scoped");
    expect((await runCli(root, [...createGame.slice(0, -1), "Chess"])).stderr).not.toContain("warning");
  });

  it("prints nothing with --quiet", async () => {
    expect(await runCli(await project(), [...createGame, "--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    [{ FORCE_COLOR: "1" }, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    [{}, false],
  ])("colors its output with %j: %s", async (env, coloured) => {
    const { stderr } = await runCli(testDirectory(), ["nope"], { env });
    expect(stderr.includes("\u001b[")).toBe(coloured);
  });

  it("records the kinds of parallel runs in PROJECT", async () => {
    const root = await project();
    const kinds = ["Chess", "Go", "Mill"];
    const ends = await Promise.all(kinds.map((kind) => runCli(root, [...createGame.slice(0, -1), kind])));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const kind of kinds) expect(readFileSync(join(root, "PROJECT"), "utf8")).toContain(`kind: ${kind}\n`);
  });

  it.each(variants(["SIGINT", "SIGTERM"] as const, 1))(
    "exits with 130 on %s and leaves the tree unchanged",
    async (signal) => {
      const root = await project();
      const before = snapshot(root);
      // While the test holds the lock, the command waits: the signal arrives at a known point.
      const code = await withLock(root, async () => {
        // The `tsx` program ends with 143 if its child doesn't handle a signal within 30 ms.
        const child = spawn(process.execPath, [...loadSources, main, ...createGame], {
          cwd: root,
          env: sourcesEnv(),
          stdio: ["ignore", "ignore", "pipe"],
        });
        let stderr = "";
        child.stderr.setEncoding("utf8").on("data", (text) => {
          if (!stderr.includes("Waiting") && `${stderr}${text}`.includes("Waiting")) child.kill(signal);
          stderr += text;
        });
        return new Promise((resolve) => child.on("close", resolve));
      });
      expect(code).toBe(130);
      expect(snapshot(root)).toEqual(before);
    },
  );
});

it("create api uses the existing plural for further versions of a kind", async () => {
  const root = await project();
  const api = (version: string) => [
    ...createGame.map((word) => (word === "v1" ? version : word)),
    `--controller=${version === "v1"}`,
  ];
  expect(await runCli(root, [...api("v1"), "--plural", "gamez"])).toMatchObject({ code: 0 });
  expect(await runCli(root, api("v2"))).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, "api/v2/game-types.ts"), "utf8")).toContain("+kubebuilder:resource:path=gamez");
  const differs = await runCli(root, [...api("v3"), "--plural", "games"]);
  expect(differs).toMatchObject({ code: 1, stderr: expect.stringContaining("has the plural gamez") });
});

describe("create webhook", () => {
  const webhook = ["create", "webhook", "--group", "myapp", "--version", "v1", "--kind", "Game"];
  async function withGame(): Promise<string> {
    const root = await project();
    expect(await runCli(root, createGame)).toMatchObject({ code: 0 });
    return root;
  }

  it("prints the created files and the next step", async () => {
    const root = await withGame();
    const { code, stdout } = await runCli(root, [...webhook, "--defaulting", "--programmatic-validation"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "\nCreated the defaulting and validating webhooks for Game. Next: edit src/webhook/v1/game-webhook.ts, then run make manifests (or npm run manifests)\n",
    );
  });

  it("names the file to edit for a conversion", async () => {
    const root = await withGame();
    const v2 = createGame.map((word) => (word === "v1" ? "v2" : word));
    expect(await runCli(root, [...v2, "--controller=false"])).toMatchObject({ code: 0 });
    const { stdout } = await runCli(root, [...webhook, "--conversion", "--spoke", "v2"]);
    expect(stdout).toContain(
      "Created the conversion webhook for Game. Next: edit api/v2/game-conversion.ts, then run make manifests",
    );
  });

  it("prompts for the webhook types on a terminal if none is set", async () => {
    const root = await withGame();
    const { code } = await runCli(root, webhook, {
      answers: [
        ["Create Defaulting Webhook [y/n]", "n\r"],
        ["Create Validating Webhook [y/n]", "y\r"],
        ["Create Conversion Webhook [y/n]", "n\r"],
        ["Certificates of webhooks", "\r"],
      ],
    });
    expect(code).toBe(0);
    expect(readFileSync(join(root, "PROJECT"), "utf8")).toContain(
      "  webhooks:\n    validation: true\n    webhookVersion: v1\n",
    );
  });

  it("accepts spokes separated by commas and spaces, and in several flags", async () => {
    const root = await withGame();
    for (const version of ["v2", "v3", "v4"]) {
      const api = createGame.map((word) => (word === "v1" ? version : word));
      expect(await runCli(root, [...api, "--controller=false"])).toMatchObject({ code: 0 });
    }
    const spokes = ["--spoke", "v2, v3", "--spoke", "v4"];
    expect(await runCli(root, [...webhook, "--conversion", ...spokes])).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, "PROJECT"), "utf8")).toContain("    spoke:\n    - v2\n    - v3\n    - v4\n");
  });

  it("warns of webhooks for kinds that a cluster requires, and uses built-in plurals", async () => {
    const root = await project();
    const endpoints = [
      "create",
      "webhook",
      "--group",
      "core",
      "--version",
      "v1",
      "--kind",
      "Endpoints",
      "--defaulting",
    ];
    const { code, stderr } = await runCli(root, endpoints);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: webhooks for endpoints, a built-in kind,");
    expect(readFileSync(join(root, "src/webhook/v1/endpoints-webhook.ts"), "utf8")).toContain("resources=endpoints,");
  });

  it("adds the package of an external kind", async () => {
    const root = await project();
    const types = ["--external-api-path", "@acme/types/v1", "--external-api-module", "@acme/types@^1.2.0"];
    const flags = ["--group", "shop", "--version", "v1", "--kind", "Order", "--external-api-domain", "acme.io"];
    const { code, stderr } = await runCli(root, ["create", "webhook", ...flags, ...types, "--defaulting"]);
    expect(code).toBe(0);
    expect(stderr).toContain("npm install");
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(dependencies["@acme/types"]).toBe("^1.2.0");
    expect(readFileSync(join(root, "PROJECT"), "utf8")).toContain(
      '  module: "@acme/types@^1.2.0"\n  path: "@acme/types/v1"\n',
    );
  });

  it("lists all paths with --dry-run and writes nothing", async () => {
    const root = await withGame();
    const before = snapshot(root);
    const { stdout } = await runCli(root, [...webhook, "--defaulting", "--dry-run"]);
    for (const path of [
      "config/certmanager/issuer.yaml",
      "config/webhook/service.yaml",
      "src/webhook/v1/game-webhook.ts",
    ])
      expect(stdout).toContain(`create ${path}\n`);
    expect(snapshot(root)).toEqual(before);
  });
});
