// Calls of `scaffold simulate` that run for long.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { project, type Report, report } from "./simulate.ts";

describe("scaffold simulate", () => {
  it.each([[["--seeds", "300"]], [["--faults", "hands,recreate,crash", "--for", "60s"]]])(
    "prints a command that repeats the finding of %j",
    async (flags) => {
      const [finding] = (await report("defective", ...flags)).findings;
      const command = finding?.replay.replace("npx scaffold simulate ", "") ?? "";
      const [repeated] = (await report("defective", ...command.split(" "))).findings;
      expect(repeated).toEqual(finding);
    },
  );

  it("continues in the same process if the limit of a test ends a simulation", async () => {
    const directory = mkdtempSync(join(tmpdir(), "simulation-calls-"));
    try {
      const calls = join(directory, "calls");
      const flags = ["simulate", "--json", "--seeds", "99"];
      const env = { SIMULATION_CALLS: calls };
      const { code, stdout } = await run(process.execPath, [scaffoldBin, ...flags], { cwd: project("limited"), env });
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as Report).schedules).toBe(100);
      const processes = readFileSync(calls, "utf8").trim().split("\n");
      expect(processes.length).toBeGreaterThan(1);
      expect(new Set(processes).size).toBe(1);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
