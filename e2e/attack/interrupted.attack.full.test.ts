import { describe, expect, it } from "vitest";
import { interruptAtRandom } from "./interrupted.ts";
import { writing } from "./killed.ts";
import { countAttempts, seedOf } from "./sandbox.ts";

/** Attempts per command. `npm run attack` makes 40, and `KUBEWRIGHT_SIGNALS=500` more. */
const times = Number(process.env.KUBEWRIGHT_SIGNALS ?? 12);

describe("SIGINT and SIGTERM at random moments of every writing command", () => {
  it.each(writing)("$call", async (command) => {
    const { interrupted, completed, unheard } = await interruptAtRandom(command, times, seedOf());
    process.stderr.write(`${command.call}: ${interrupted} interrupted, ${completed} completed, ${unheard} unheard\n`);
    expect(interrupted).toBeGreaterThan(0);
    expect(completed).toBeGreaterThan(0);
  });

  it("print one line even if several flags have no effect", async ({ task }) => {
    const [init = "", api = ""] = writing.map(({ call }) => call);
    await interruptAtRandom({ before: [init], call: `${api} --make --ssa`, next: "" }, times, seedOf());
    countAttempts(task, times);
  });
});
