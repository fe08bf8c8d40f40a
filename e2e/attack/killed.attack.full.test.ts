import { describe, expect, it } from "vitest";
import { killAtRandom, writing } from "./killed.ts";
import { countAttempts, seedOf } from "./sandbox.ts";

/** Attempts per command. `npm run attack` makes 24, and `KUBEWRIGHT_KILLS=500` more. */
const times = Number(process.env.KUBEWRIGHT_KILLS ?? 8);

describe("SIGKILL at random moments of every writing command", () => {
  it.each(writing)("$call", async (command) => {
    const kills = await killAtRandom(command, times, seedOf());
    process.stderr.write(`${command.call}: ${kills.midway} of ${kills.tried} were killed midway\n`);
    expect(kills.tried).toBe(times);
  });

  it("kills some commands while they write", async ({ task }) => {
    const command = writing[1];
    if (command === undefined) throw new Error("no command");
    const { tried, midway } = await killAtRandom(command, times, seedOf());
    expect(midway).toBeGreaterThan(0);
    countAttempts(task, tried);
  });
});
