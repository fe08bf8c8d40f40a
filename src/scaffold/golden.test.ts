// The whole tree that a user gets, as a reviewer sees it. Regenerate: npx vitest run src/scaffold/golden.test.ts -u
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

const golden = fileURLToPath(new URL("../../testdata/projects/game", import.meta.url));
const updating = process.argv.includes("-u") || process.argv.includes("--update");

function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => !path.startsWith(".kubewright"))
    .sort();
}

it("is testdata/projects/game", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  const files = filesBelow(root);
  const stale = filesBelow(golden).filter((path) => !files.includes(path));
  if (updating) for (const path of stale) rmSync(join(golden, path));
  else expect(stale).toEqual([]);
  for (const path of files) {
    await expect(readFileSync(join(root, path), "utf8")).toMatchFileSnapshot(join(golden, path));
  }
});

describe("is formatted and lint-clean as scaffolded", () => {
  const require = createRequire(import.meta.url);
  const biome = join(dirname(require.resolve("@biomejs/biome/package.json")), "bin/biome");
  const long = `L${"o".repeat(61)}g`;

  it.each([
    ["one kind", {}, [{}]],
    ["a cluster kind with a plural of its own", {}, [{ namespaced: false, plural: "gamez" }]],
    ["named namespaces", { namespaced: true }, [{}]],
    ["several groups", { multigroup: true }, [{}, { group: "other", kind: "Game" }, { group: "other", kind: "Chess" }]],
    ["several kinds and versions", {}, [{}, { kind: "Chess" }, { kind: "Go", version: "v2alpha1" }]],
    [
      "names as long as they may be",
      {
        projectName: "p".repeat(28),
        repo: `@acme/${"r".repeat(180)}`,
        domain: `${"d".repeat(60)}.io`,
        multigroup: true,
      },
      [{ group: "g".repeat(60), kind: long, version: "v123456789alpha123456789" }],
    ],
    ["the shortest names", { projectName: "p", repo: "r", domain: "d" }, [{ group: "g", kind: "K" }]],
  ])("with %s", async (_, project, kinds) => {
    const root = testDirectory();
    await initProject(root, project);
    for (const kind of kinds) await createApi(root, kind);
    const check = () =>
      execFileSync(process.execPath, [biome, "check", "--colors=off", "."], {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
      });
    expect(check).not.toThrow();
  });
});

it("is complete as testdata: what git would ignore is in it too", () => {
  expect(filesBelow(golden)).toContain(".gitignore");
});
