import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { initProject } from "../scaffold/test-support/game.ts";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { planOfRebase, planOfUpgrade } from "../scaffold/test-support/upgrade.ts";
import { findingsAfterRandomSteps } from "./test-support/random-sequence.ts";
import { runCli } from "./test-support/run-cli.ts";

// random-sequences.full.test.ts runs more and longer sequences.
it("upgrade finds nothing after each step of a random sequence", async () => {
  expect(await findingsAfterRandomSteps(testDirectory(), 22, 8)).toBeUndefined();
});

it.each(["Game", "Chess"])(
  "upgrade finds nothing after a new kind joins the kept types of a deleted one: %s",
  async (kind) => {
    const root = testDirectory();
    const nameOf = (name: string) => ["--group", "shop", "--version", "v1", "--kind", name];
    await initProject(root);
    await runCli(root, ["create", "api", ...nameOf("Game"), "--controller=false", "--yes"]);
    appendFileSync(join(root, "api/v1/game-types.ts"), "// kept\n");
    appendFileSync(join(root, "hack/boilerplate.txt"), "// another line of the header\n");
    expect((await runCli(root, ["delete", "api", ...nameOf("Game"), "--yes"])).stderr).toContain(
      "kept api/v1/game-types.ts",
    );
    expect(await runCli(root, ["create", "api", ...nameOf(kind), "--force", "--yes"])).toMatchObject({ code: 0 });
    expect(await planOfUpgrade(root)).toMatchObject({ operations: [], conflicts: [] });
    expect((await planOfRebase(root)).operations).toEqual([]);
  },
);
