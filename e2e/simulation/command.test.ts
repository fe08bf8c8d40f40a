import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { thorough, variants } from "../../scripts/test-support/thorough.ts";
import { project, report, simulate } from "./simulate.ts";

const findingText = readFileSync(new URL("testdata/finding.txt", import.meta.url), "utf8");
const [, seedOfFinding = ""] = /--seed (\d+)/.exec(findingText) ?? [];

describe("scaffold simulate", () => {
  fullTest("ends with 0 and a table if it finds nothing", async () => {
    const { code, stdout } = await simulate("correct", "--seeds", "20");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^schedules {2}21 in \d+\.\d s\nfaults {5}.*crash \d+.*\nfindings {3}0\n$/);
  });

  fullTest("names the reconciles that fail even without faults", async () => {
    const { code, stdout } = await simulate("failing", "--seeds", "5");
    expect(code).toBe(0);
    const reconcile = "the reconcile of configmap default/settings still fails: not implemented";
    const note = `config.simulation.ts: reports each ConfigMap: even without faults, ${reconcile}`;
    expect(stdout).toContain(`findings   0\nnote       ${note}\n`);
  });

  fullTest("ends with 1 and the shortest schedule of a finding", async () => {
    // The schedules before that of the finding take most of the time.
    const { code, stdout } = await simulate("defective", ...(thorough ? [] : ["--seed", seedOfFinding]));
    expect(code).toBe(1);
    const [finding] = stdout.split("\nschedules ");
    await expect(finding).toMatchFileSnapshot("testdata/finding.txt");
  });

  fullTest("prints exactly the documented object with --json, and replays a seed", async () => {
    const result = await report("defective", "--seed", seedOfFinding);
    expect(Object.keys(result)).toEqual(["schedules", "seconds", "faults", "findings"]);
    const [finding] = result.findings;
    expect(Object.keys(finding ?? {})).toEqual([
      "file",
      "test",
      "invariant",
      "message",
      "seed",
      "faults",
      "replay",
      "position",
      "timeline",
    ]);
    expect(finding?.timeline[finding.position]).toMatchObject({ actor: "someone", action: "delete" });
    expect(Object.keys(finding?.timeline[0] ?? {})).toEqual([
      "step",
      "time",
      "actor",
      "action",
      "object",
      "revision",
      "detail",
    ]);
    expect(result.schedules).toBe(2);
    const replayed = await report("defective", "--seed", String(finding?.seed));
    expect(replayed.findings).toEqual(result.findings);
  });

  fullTest(
    "prints that a simulation without rules of the user, or without writes of the operator, finds little",
    async () => {
      const { stdout } = await simulate("silent", "--seeds", "1");
      const notes = stdout.split("\n").filter((line) => line.startsWith("note "));
      expect(notes).toEqual([
        "note       silent.simulation.ts: does nothing: the operator writes nothing, so few faults matter; hint: let the scenario create objects that need its work",
        "note       silent.simulation.ts: does nothing: the file contains no rule of yours; hint: add always(name, check) or eventually(name, check) to invariants",
      ]);
    },
  );

  fullTest("injects only the faults of --faults", async () => {
    const { faults } = await report("correct", "--seeds", "15", "--faults", "crash,watch");
    const injected = Object.entries(faults).flatMap(([name, count]) => (count > 0 ? [name] : []));
    expect(injected.sort()).toEqual(["crash", "watch"]);
  });

  fullTest("runs for the time of --for", async () => {
    const { seconds, schedules } = await report("correct", "--for", "4s");
    expect(schedules).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThan(2);
  });

  it.runIf(thorough && process.platform !== "win32")(
    "names the error of the system if no file can be written",
    async () => {
      const limited = `trap "" XFSZ; ulimit -f 0; exec "$@"`;
      const args = ["-c", limited, "sh", process.execPath, scaffoldBin, "simulate", "--seeds", "1"];
      const { code, stderr } = await run("/bin/sh", args, { cwd: project("correct") });
      expect(code).toBe(2);
      expect(stderr).toContain("error: a simulation can't run: EFBIG: file too large, write");
    },
  );

  const wrongCalls: [string, string[], string][] = [
    ["correct", ["--seeds", "none"], '--seeds "none": must be an integer of at least 1'],
    ["correct", ["--for", "soon"], '--for "soon": must be a duration, such as 60s or 10m'],
    ["correct", ["--faults", "crush"], "--faults crush: must be one of stale, crash"],
    ["correct", ["--seed", "1", "--for", "1s"], "--seed runs one schedule, so it excludes --seeds and --for"],
    ["broken", [], "a simulation can't run: src/broken.simulation.ts: "],
    ["empty", [], "no simulation found: src/**/*.simulation.ts matches no file"],
  ];
  it.each(variants(wrongCalls, 4))(
    "ends with 2 for wrong usage and files that don't load: %s %j",
    async (name, flags, message) => {
      const { code, stderr } = await simulate(name, ...flags);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    },
  );
});
