import { describe, expect, it } from "vitest";
import { interruptAtRandom } from "./interrupted.ts";
import { writing } from "./killed.ts";
import { countAttempts, seedOf } from "./sandbox.ts";

// interrupted.attack.full.test.ts has all commands, and more moments.
describe("SIGINT and SIGTERM at random moments", () => {
  it("end a command with 130 and nothing changed, or with 0 and everything done", async ({ task }) => {
    const seed = seedOf();
    for (const command of [writing[1], writing[3]]) {
      if (command === undefined) throw new Error("no command");
      const { interrupted, completed, unheard } = await interruptAtRandom(command, 8, seed);
      expect(interrupted + completed + unheard).toBe(8);
    }
    countAttempts(task, 16);
  }, 120_000);
});
