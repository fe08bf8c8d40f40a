import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { snapshot, testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const quick = ["--fetch-deps=false"];
const fileCount = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

it("create project with a directory and a domain asks nothing, so that the next pasted line isn't an answer", async () => {
  const root = testDirectory();
  const { code, stdout } = await runCli(root, ["create", "project", "shop", "--domain", "example.com", ...quick], {
    answers: [],
  });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Created project shop with the kind Website: ${fileCount(join(root, "shop"))} files. Next:

  cd shop
  npm install
  npx scaffold dev
`,
  });
  expect(readFileSync(join(root, "shop/PROJECT"), "utf8")).toMatch(/domain: example\.com\n[\s\S]*kind: Website\n/);
});

it("create project asks for a name and a domain", async () => {
  const root = testDirectory();
  const answers = [
    ["Name of the project", "Shop!\r"],
    ["use lowercase letters", "\u0015shop\r"],
    ["Domain of the API groups", "example.com\r"],
  ] as const;
  const { code, stderr } = await runCli(root, ["create", "project", ...quick], { answers });
  expect(code).toBe(0);
  // The user has typed no flag.
  expect(stderr).toContain(`"Shop!" isn't a valid DNS label`);
  expect(stderr).not.toContain("--project-name");
  expect(readFileSync(join(root, "shop/api/v1/groupversion-info.ts"), "utf8")).toContain("web.example.com");
});

it("create project takes the defaults without a terminal", async () => {
  const root = testDirectory();
  expect(await runCli(root, ["create", "project", ...quick])).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, "website/PROJECT"), "utf8")).toContain("domain: my.domain\n");
});

it("create project uses this directory if it is empty or a new Git repository, and refuses one with files", async () => {
  const root = join(testDirectory(), "shop");
  mkdirSync(join(root, ".git"), { recursive: true });
  expect(await runCli(root, ["create", "project", ".", ...quick])).toMatchObject({
    code: 0,
    stdout: expect.not.stringMatching(/cd /),
  });
  const before = snapshot(root);
  const [again, other] = [
    await runCli(root, ["create", "project", "."]),
    await runCli(join(root, ".."), ["create", "project", "shop"]),
  ];
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("error: this directory isn't empty")]);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining(`error: "shop" isn't empty`)]);
  expect(snapshot(root)).toEqual(before);
});

it("create project previews its files without creating the directory", async () => {
  const root = testDirectory();
  const { code, stdout } = await runCli(root, ["create", "project", "shop", "--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toContain("create src/controller/website-controller.ts\n");
  expect(existsSync(join(root, "shop"))).toBe(false);
});

it("create project leaves no directory behind if it fails", async () => {
  const root = testDirectory();
  writeFileSync(join(root, "file"), "");
  for (const [argument, code] of [
    ["Ünicode", 2],
    ["file/shop", 1],
  ] as const) {
    const { code: got, stderr } = await runCli(root, ["create", "project", argument, ...quick]);
    expect([got, stderr.trim().split("\n").length]).toEqual([code, expect.any(Number)]);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).not.toContain("bug");
  }
  expect(readdirSync(root)).toEqual(["file"]);
  expect(await runCli(root, ["create", "project", "shop", "--dev", ...quick])).toMatchObject({ code: 2 });
  expect(await runCli(root, ["create", "project", "shop", "--domain", "UPPER"])).toMatchObject({ code: 2 });
  expect(readdirSync(root)).toEqual(["file"]);
});

it("a new project has nothing to upgrade, and delete api keeps the example as an edit of the user", async () => {
  const root = testDirectory();
  await runCli(root, ["create", "project", "shop", "--domain", "example.com", ...quick]);
  const project = join(root, "shop");
  expect(await runCli(project, ["upgrade", "--check"])).toMatchObject({ code: 0, stdout: "" });
  const kind = ["--group", "web", "--version", "v1", "--kind", "Website"];
  const { code, stderr } = await runCli(project, ["delete", "api", ...kind]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/kept api\/v1\/website-types\.ts/);
  expect(readFileSync(join(project, "PROJECT"), "utf8")).not.toContain("Website");
});
