import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { madeOnce, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { tools } from "../test-support/tools.ts";

const makeGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
});
const name = "games.myapp.qingwave.github.io";

async function game(): Promise<string> {
  const root = testDirectory();
  await makeGame(root);
  return root;
}

/** Returns a directory with a kubectl of a cluster that has the definition with these stored versions. */
function kubectl(storedVersions: readonly string[]): string {
  const directory = tools("npm");
  const versions = ["v1", "v2"].map((version) => ({ name: version, storage: version === "v2" }));
  const definition = JSON.stringify({ metadata: { name }, spec: { versions }, status: { storedVersions } });
  const program = `#!/bin/sh\ncase "$*" in\n"get customresourcedefinitions ${name} "*) printf '%s\\n' '${definition}' ;;\n*) exit 1 ;;\nesac\n`;
  writeFileSync(join(directory, "kubectl"), program, { mode: 0o755 });
  return directory;
}

describe("scaffold doctor", () => {
  async function doctor(versions: readonly string[], stored: readonly string[]): Promise<string> {
    const root = await game();
    mkdirSync(join(root, "config/crd/bases"), { recursive: true });
    const lines = versions.map((version) => `  - name: ${version}\n`).join("");
    const text = `metadata:\n  name: ${name}\nspec:\n  versions:\n${lines}`;
    writeFileSync(join(root, "config/crd/bases/games.yaml"), text);
    return (await runCli(root, ["doctor"], { env: { PATH: kubectl(stored) } })).stdout;
  }

  it("warns of objects in an old version", async () => {
    expect(await doctor(["v1", "v2"], ["v1", "v2"])).toContain(
      `! objects of ${name} may be stored as v1 instead of v2\n      hint: before you remove a version, migrate the objects: see https://kubewright.github.io/kubewright/guides/migrate-stored-objects.html\n`,
    );
    expect(await doctor(["v1", "v2"], ["v2"])).not.toContain("may be stored");
  });

  it("warns of a removed version in which the cluster may store objects", async () => {
    expect(await doctor(["v2"], ["v1", "v2"])).toContain(
      "! config/crd/bases/games.yaml has no version v1, in which the cluster may store objects\n",
    );
  });
});

it("delete api keeps a version in which the cluster may store objects, unless it is forced", async () => {
  const root = await game();
  const args = ["delete", "api", "--group", "myapp", "--version", "v2", "--kind", "Game"];
  const env = { PATH: kubectl(["v1", "v2"]) };
  expect(await runCli(root, args, { env })).toEqual({
    code: 1,
    stdout: "",
    stderr:
      `error: Game v2 can't be deleted: status.storedVersions of ${name} contains v2, so the cluster may store objects in it\n` +
      "  hint: migrate the objects first, or use --force: see https://kubewright.github.io/kubewright/guides/migrate-stored-objects.html\n",
  });
  expect(await runCli(root, [...args, "--force"], { env })).toMatchObject({ code: 0 });
});

it("delete api removes a version that the cluster doesn't store", async () => {
  const args = ["delete", "api", "--group", "myapp", "--version", "v2", "--kind", "Game"];
  expect(await runCli(await game(), args, { env: { PATH: kubectl(["v1"]) } })).toMatchObject({ code: 0 });
});
