// Runs the linter of GitHub workflows on our own workflows and on scaffolded ones. Needs Go.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must, root, run } from "./lib/run.mjs";

const linter = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const scratch = mkdtempSync(join(tmpdir(), "kubewright-actionlint-"));
const goldens = join(root, "testdata/projects");

beforeAll(async () => {
  await must("go", ["install", linter], { cwd: scratch, env: { GOBIN: scratch } });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs actionlint without the linters for scripts, which only some machines have. */
const lint = (files: readonly string[]) =>
  run(join(scratch, "actionlint"), ["-no-color", "-shellcheck=", "-pyflakes=", ...files], { cwd: scratch });
const below = (directory: string) =>
  readdirSync(join(directory, ".github/workflows")).map((name) => join(directory, ".github/workflows", name));

it("actionlint reports nothing in our own workflows", async () => {
  expect(await lint(below(root))).toMatchObject({ code: 0, stdout: "" });
});

it.each(readdirSync(goldens))("actionlint reports nothing in the workflows of the project %s", async (name) => {
  expect(await lint(below(join(goldens, name)))).toMatchObject({ code: 0, stdout: "" });
});

it("actionlint reports an unknown key", async () => {
  const wrong = join(scratch, "wrong.yml");
  writeFileSync(wrong, "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    stpes: []\n");
  expect((await lint([wrong])).stdout).toContain('unexpected key "stpes"');
});
