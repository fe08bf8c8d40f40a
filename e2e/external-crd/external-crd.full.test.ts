// Tests a project with the types of a kind whose CRD belongs to another project: it compiles, passes its tests and
// generates no CRD.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { install } from "../lib/golden.ts";

const definition = join(checkout, "e2e/matrix/testdata/definition.yaml");
const backup = ["--group", "stable.example.org", "--version", "v1", "--kind", "Backup"];
const root = mkdtempSync(join(tmpdir(), "kubewright-external-"));
const text = (path: string) => readFileSync(join(root, path), "utf8");
const tool = (path: string, ...args: string[]) =>
  run(process.execPath, [join(checkout, "node_modules", path), ...args], {
    cwd: root,
    env: { KUBEBUILDER_ASSETS: undefined, HOME: root, NO_COLOR: "1" },
  });

beforeAll(async () => {
  await scaffold(root, "init", "--domain", "example.com", "--project-name", "reader", "--fetch-deps=false");
  await scaffold(root, "create", "api", "--from-crd", definition, "--external");
  await scaffold(root, "create", "webhook", ...backup, "--programmatic-validation");
  install(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("the project generates roles and webhook configurations, but no CRD", async () => {
  const { stderr } = await scaffold(root, "generate");
  expect(stderr.trim().split("\n")).toEqual(["update config/rbac/role.yaml", "create config/webhook/manifests.yaml"]);
  expect(existsSync(join(root, "config/crd"))).toBe(false);
  expect(text("config/rbac/role.yaml")).toContain("  - backups\n  verbs:\n  - get\n  - list\n  - watch\n");
  expect(text("config/webhook/manifests.yaml")).toContain("    - stable.example.org\n");
});

it("the project type-checks", async () => {
  expect(await tool("typescript-native/bin/tsc", "--noEmit")).toMatchObject({ code: 0, stdout: "" });
});

it("the project is formatted and passes lint", async () => {
  expect(await tool("@biomejs/biome/bin/biome", "check", "--vcs-enabled=false", ".")).toMatchObject({ code: 0 });
});

it("the project passes its own tests", async () => {
  expect(await tool("vitest/vitest.mjs", "run")).toMatchObject({ code: 0 });
});
