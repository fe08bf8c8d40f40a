import { describe, expect, it } from "vitest";
import { type Kills, killAtRandom, writing } from "./killed.ts";
import { countAttempts, seedOf } from "./sandbox.ts";

// killed.attack.full.test.ts has all commands, and more moments.
describe("SIGKILL at a random moment", () => {
  it("leaves the tree as it was or as it is to be, once the next command has run", async ({ task }) => {
    const seed = seedOf();
    const kills: Kills[] = [];
    for (const command of [writing[1], writing[3]]) {
      if (command !== undefined) kills.push(await killAtRandom(command, 4, seed));
    }
    const tried = kills.reduce((sum, kill) => sum + kill.tried, 0);
    expect(tried).toBe(8);
    countAttempts(task, tried);
  }, 120_000);
});
