// The formatter of a project whose kubewright is one of its own packages, as with npx: the projects are below this repository.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { initProject } from "../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
mkdirSync(cache, { recursive: true });
const directory = realpathSync(mkdtempSync(join(cache, "kubewright-format-")));
afterAll(() => rmSync(directory, { recursive: true }));

async function project(name: string): Promise<string> {
  const root = join(directory, name);
  mkdirSync(root);
  await initProject(root);
  return root;
}

const kind = `K${"i".repeat(59)}`;
const types = `api/v1/${kind.toLowerCase()}-types.ts`;
const create = ["create", "api", "--group", "myapp", "--version", "v1", "--kind", kind, "--yes"];
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const change = (root: string, path: string, from: string, to: string) =>
  writeFileSync(join(root, path), text(root, path).replace(from, to));

it("create api writes formatted code, and --dry-run lists the same files and writes nothing", async () => {
  const root = await project("biome");
  const before = snapshot(root);
  const dry = await runCli(root, [...create, "--dry-run", "--json"]);
  expect(snapshot(root)).toEqual(before);
  const { code, stdout, stderr } = await runCli(root, [...create, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(dry.stdout).operations).toEqual(JSON.parse(stdout).operations);
  expect(text(root, types)).toContain(`export const ${kind} =\n  GroupVersion.kind<${kind}>(\n`);
  expect(await runCli(root, ["delete", "api", ...create.slice(2)])).toMatchObject({ code: 0, stderr: "" });
  expect(snapshot(root)).toEqual(before);
});

fullTest("a command that fails leaves the tree unchanged", async () => {
  const root = await project("failing");
  mkdirSync(join(root, `src/controller/${kind.toLowerCase()}-controller.ts`), { recursive: true });
  const before = snapshot(root);
  expect((await runCli(root, create)).code).not.toBe(0);
  expect(snapshot(root)).toEqual(before);
});

describe("the code stays as the templates print it", () => {
  const long = `export const ${kind} = GroupVersion.kind<${kind}>("${kind}");\n`;

  fullTest("if the formatter fails, with one warning", async () => {
    const root = await project("broken");
    change(root, "biome.json", '"indentWidth": 2', '"indentWidth": "two"');
    const { code, stderr } = await runCli(root, create);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: Biome can't format api\/v1\/groupversion-info\.ts and \d+ more, so the code isn't formatted: .*\n$/,
    );
    expect(text(root, types)).toContain(long);
  });

  fullTest("if the project uses another formatter", async () => {
    const root = await project("other");
    change(root, "package.json", '"biome format --write ."', '"dprint fmt"');
    expect(await runCli(root, create)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, types)).toContain(long);
  });

  it("if kubewright is installed outside of the checkout, so that it runs no code from it", async () => {
    const root = testDirectory();
    await initProject(root);
    const mark = join(root, "mark");
    const biome = join(root, "node_modules/@biomejs/biome");
    mkdirSync(join(biome, "bin"), { recursive: true });
    writeFileSync(join(biome, "package.json"), "{}");
    writeFileSync(join(biome, "bin/biome"), `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`);
    expect(await runCli(root, create)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, types)).toContain(long);
    expect(snapshot(root).mark).toBeUndefined();
  });

  fullTest("if the formatter isn't installed", async () => {
    const root = testDirectory();
    await initProject(root);
    expect(await runCli(root, create)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, types)).toContain(long);
  });
});
