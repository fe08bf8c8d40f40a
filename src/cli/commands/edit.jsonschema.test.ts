import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../test-support/run-cli.ts";

const golden = join(import.meta.dirname, "../../../testdata/projects/game");
const sample = "config/samples/myapp_v1_game.yaml";
const schema = "schemas/myapp.qingwave.github.io/game_v1.json";

function project() {
  const root = mkdtempSync(join(tmpdir(), "kubewright-schemas-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(golden, root, { recursive: true });
  return {
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    write: (path: string, text: string) => writeFileSync(join(root, path), text),
    exists: (path: string) => existsSync(join(root, path)),
    run: (...argv: string[]) => runCli(root, argv, { env: { PATH: process.env.PATH ?? "" } }),
  };
}

it("edit --enable and --disable jsonschema change the Makefile and the samples, and nothing else remains", async () => {
  const { read, exists, run } = project();
  const before = { makefile: read("Makefile"), sample: read(sample), project: read("PROJECT") };
  expect(await run("edit", "--enable", "jsonschema")).toMatchObject({ code: 0 });
  expect(read("Makefile")).toBe(before.makefile.replace(" crd webhook paths", " crd webhook jsonschema paths"));
  expect(read(sample)).toBe(`# yaml-language-server: $schema=../../${schema}\n${before.sample}`);
  expect(read("PROJECT")).toBe(before.project);
  const again = await run("edit", "--enable", "jsonschema");
  expect(again.stdout + again.stderr).toContain("already has these settings");
  expect(await run("generate")).toMatchObject({ code: 0 });
  expect([exists(schema), exists("schemas/all.json")]).toEqual([true, true]);
  expect(await run("generate", "--check")).toMatchObject({ code: 0, stdout: "" });
  expect(await run("edit", "--disable", "jsonschema")).toMatchObject({ code: 0 });
  expect({ makefile: read("Makefile"), sample: read(sample), project: read("PROJECT") }).toEqual(before);
  expect([exists(schema), exists("schemas/all.json")]).toEqual([false, false]);
});

it("new samples get the modeline, also of another version, and delete api removes them", async () => {
  const { read, exists, run } = project();
  await run("edit", "--enable", "jsonschema");
  expect(
    await run("create", "api", "--group", "myapp", "--version", "v2", "--kind", "Game", "--controller=false"),
  ).toMatchObject({ code: 0 });
  const other = "config/samples/myapp_v2_game.yaml";
  expect(read(other).split("\n")[0]).toBe(
    "# yaml-language-server: $schema=../../schemas/myapp.qingwave.github.io/game_v2.json",
  );
  expect(read(other).match(/yaml-language-server/g)).toHaveLength(1);
  // Upgrades of the golden project change only its packages.
  const upgrade = await run("upgrade", "--check", "--json");
  expect(JSON.parse(upgrade.stdout).operations.map(({ path }: { path: string }) => path)).not.toContain(other);
  const removed = await run("delete", "api", "--group", "myapp", "--version", "v2", "--kind", "Game");
  expect(removed).toMatchObject({ code: 0 });
  expect(exists(other)).toBe(false);
});

it("a modeline that the user wrote stays", async () => {
  const { read, write, run } = project();
  const own = `# yaml-language-server: $schema=https://example.com/x.json\n${read(sample)}`;
  write(sample, own);
  await run("edit", "--enable", "jsonschema");
  expect(read(sample)).toBe(own);
  await run("edit", "--disable", "jsonschema");
  expect(read(sample)).toBe(own);
});

it("--dry-run lists the changes, and --check exits with 1 if there are any", async () => {
  const { read, run } = project();
  const before = read("Makefile");
  const listed = await run("edit", "--enable", "jsonschema", "--dry-run", "--json");
  expect(JSON.parse(listed.stdout).operations).toEqual([
    { op: "update", path: "Makefile" },
    { op: "update", path: sample },
  ]);
  expect(await run("edit", "--enable", "jsonschema", "--check")).toMatchObject({ code: 1 });
  expect(read("Makefile")).toBe(before);
});

it("a Makefile without the call is left alone, with the lines to add", async () => {
  const { read, write, run } = project();
  write("Makefile", "manifests:\n\techo\n");
  const end = await run("edit", "--enable", "jsonschema");
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("webhook jsonschema paths=./...") });
  expect(read("Makefile")).toBe("manifests:\n\techo\n");
});
