import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadSources, sourcesEnv } from "../../scripts/test-support/from-sources.ts";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { createApi, initProject } from "../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const require = createRequire(import.meta.url);
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist/cli.mjs");
const main = fileURLToPath(new URL("main.ts", import.meta.url));
const createGame = ["create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game"];

async function project(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  return root;
}

const inputs = [
  ["that is silent", "pipe"],
  ["that is closed", "ignore"],
] as const;
it.each(variants(inputs, 0))(
  "a command without a terminal names the missing flag, with an input %s",
  async (_, stdin) => {
    const root = await project();
    const before = snapshot(root);
    const missing = ["create", "api", "--group", "myapp", "--version", "v1"];
    const child = spawn(process.execPath, [tsx, main, ...missing], {
      cwd: root,
      env: sourcesEnv({ CI: "" }),
      stdio: [stdin, "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(2);
    expect(stderr).toContain("error: --kind is missing, such as --kind Game");
    expect(snapshot(root)).toEqual(before);
  },
);

describe("prompts", () => {
  it("ask nothing in init with the flags of the README", async () => {
    const root = testDirectory();
    const init = ["init", "--domain", "example.com", "--repo", "example.com/website", "--fetch-deps=false"];
    expect(await runCli(root, init, { answers: [] })).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, "PROJECT"), "utf8")).not.toContain("webhookCerts");
  });

  const createWebhook = ["create", "webhook", ...createGame.slice(2), "--defaulting"];

  it.each([
    ["offers self as the default", [["[self/cert-manager/files]", "\r"]], "self"],
    ["accepts another answer", [["[self/cert-manager/files]", "files\r"]], "files"],
    [
      "rejects an unknown value",
      [
        ["[self/cert-manager/files]", "vault\r"],
        ["isn't valid: it must be", "\u0015cert-manager\r"],
      ],
      "cert-manager",
    ],
  ] as const)("the first create webhook asks for the source of the certificate, and %s", async (_, answers, chosen) => {
    const [root, other] = [await project(), testDirectory()];
    await createApi(root);
    const { code, stderr } = await runCli(root, createWebhook, { answers });
    expect(code).toBe(0);
    for (const name of ["self", "cert-manager", "files"])
      expect(stderr).toMatch(new RegExp(`^  ${name} .*\\w{3}`, "m"));
    // The result is the same as with the flag.
    await initProject(other, { webhookCerts: chosen });
    await createApi(other);
    expect(await runCli(other, createWebhook, { answers: [] })).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(snapshot(other));
    // Further webhooks don't ask again.
    const validation = [...createWebhook.slice(0, -1), "--programmatic-validation"];
    expect(await runCli(root, validation, { answers: [] })).toMatchObject({ code: 0 });
  });

  it("change nothing if the source of the certificate conflicts with the user's changes", async () => {
    const root = await project();
    await createApi(root);
    const path = join(root, "config/default/kustomization.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("[CERTMANAGER]", "[MINE]"));
    const before = snapshot(root);
    const { code, stderr } = await runCli(root, createWebhook, { answers: [["[self/cert-manager/files]", "self\r"]] });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "can't be changed to self: you and the templates changed the same lines of config/default/kustomization.yaml",
    );
    expect(stderr).toContain("hint: run npx scaffold edit --webhook-certs self");
    expect(snapshot(root)).toEqual(before);
  });

  it("use cert-manager without a question with --yes, and in projects with webhooks", async () => {
    const root = await project();
    await createApi(root);
    expect(await runCli(root, [...createWebhook, "--yes"], { answers: [] })).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, "PROJECT"), "utf8")).not.toContain("webhookCerts");
    const validation = [...createWebhook.slice(0, -1), "--programmatic-validation"];
    expect(await runCli(root, validation, { answers: [] })).toMatchObject({ code: 0 });
  });

  it("asks kubebuilder's questions on a terminal, and only for missing flags", async () => {
    const root = await project();
    const { code, stderr } = await runCli(root, createGame, {
      answers: [
        ["Create Resource [y/n]", "y\r"],
        ["Create Controller [y/n]", "n\r"],
      ],
    });
    expect(code).toBe(0);
    expect(stderr).not.toContain("kind");
    expect(existsSync(join(root, "api/v1/game-types.ts"))).toBe(true);
    expect(existsSync(join(root, "src/controller"))).toBe(false);
  });

  it("validates an answer before it accepts it", async () => {
    const root = await project();
    const { code, stderr } = await runCli(
      root,
      ["create", "api", "--group", "myapp", "--version", "v1", "--resource", "--controller"],
      {
        answers: [
          ["kind", "game\r"],
          ["isn't valid: use letters", "\u0015Game\r"],
        ],
      },
    );
    expect(stderr).toContain("beginning with an uppercase letter");
    expect(code).toBe(0);
  });

  const sentAnswers: [string, string[] | string][] = [
    ["one by one", ["y\r", "n\r"]],
    ["at once", ["y\rn\r"]],
    ["at once, with an invalid answer and Windows line breaks", ["maybe\r\ny\r\nn\r\n"]],
    ["at once, before the first prompt", "y\nn\n"],
  ];
  it.each(variants(sentAnswers, 2))("accepts answers that are sent %s", async (_, sent) => {
    const root = await project();
    const answers = typeof sent === "string" ? { typed: sent, answers: [] } : { answers: sent.map(asked) };
    const { code } = await runCli(root, createGame, answers);
    expect(code).toBe(0);
    expect(existsSync(join(root, "api/v1/game-types.ts"))).toBe(true);
    expect(existsSync(join(root, "src/controller"))).toBe(false);
  });
  const asked = (answer: string, index: number) => [index === 0 ? "Resource" : "Controller", answer] as const;

  it("marks an invalid answer while the user types it", async () => {
    const { stderr } = await runCli(await project(), createGame, {
      env: { FORCE_COLOR: "1" },
      answers: [
        ["Resource", "x"],
        ["\u001b[31mx", "\u0015y\r"],
        ["Controller", "y\r"],
      ],
    });
    expect(stderr).toContain("\u001b[36my\u001b[39m");
  });

  it("offers the most likely value as the default", async () => {
    const root = await project();
    const chess = ["create", "api", "--kind", "Chess", "--resource", "--controller"];
    await runCli(root, [...chess, "--group", "myapp", "--version", "v1"]);
    const more = await runCli(root, ["create", "api", "--kind", "Go", "--resource", "--controller"], {
      answers: [
        ["(myapp)", "\r"],
        ["(v1)", "\r"],
      ],
    });
    expect(more.code).toBe(0);
    expect(
      await runCli(root, ["delete", "api", "--kind", "Go", "--yes", "--group", "myapp", "--version", "v1"]),
    ).toMatchObject({ code: 0 });
    const gone = await runCli(root, ["delete", "api"], {
      answers: [
        ["(myapp)", "\r"],
        ["(v1)", "\r"],
        ["(Chess)", "\r"],
      ],
    });
    expect(gone.code).toBe(0);
    expect(existsSync(join(root, "api"))).toBe(false);
  });

  it("exits with 130 on Ctrl-C and leaves the tree unchanged", async () => {
    const root = await project();
    const before = snapshot(root);
    const { code } = await runCli(root, createGame, { answers: [["Create Resource", "\u0003"]] });
    expect(code).toBe(130);
    expect(snapshot(root)).toEqual(before);
  });

  fullTest("exits with 130 when the terminal closes at a prompt", async () => {
    const root = testDirectory();
    // A pipe that pretends to be a terminal: it sends Ctrl-D.
    const pretend =
      "process.stdin.isTTY = process.stderr.isTTY = true; process.stdin.setRawMode = () => process.stdin;";
    const preload = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
    const child = spawn(process.execPath, [...preload, ...loadSources, main, "init"], {
      cwd: root,
      env: sourcesEnv({ CI: "" }),
      stdio: ["pipe", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
      if (stderr.includes("Domain")) child.stdin.end("\u0004");
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130);
    expect(stderr).toContain("interrupted, nothing was changed");
    expect(snapshot(root)).toEqual({});
  });

  it("asks nothing in a directory that already contains a project", async () => {
    const { code, stderr } = await runCli(await project(), ["init", "--project-name", "a"], {
      env: { NO_COLOR: "1" },
      answers: [],
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: this directory already contains a project/);
  });

  it.each<[Record<string, string>, string[]]>([
    [{ CI: "true" }, []],
    [{}, ["--yes"]],
  ])("uses the defaults with %j %j", async (env, flags) => {
    const root = await project();
    const { code } = await runCli(root, [...createGame, ...flags], { env, answers: [] });
    expect(code).toBe(0);
    expect(existsSync(join(root, "src/controller/game-controller.ts"))).toBe(true);
  });
});
