// Checks `npm run bench` without measuring anything: each part exists and has a section on the results page.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../scripts/test-support/full-test.ts";
import { machineFacts } from "./lib/machine.ts";
import { type ChartFile, chartFiles, render, withResults } from "./lib/page.ts";
import { parts } from "./parts.ts";
import { deployment } from "./runtime/lib/deployment.ts";
import { bars as barsOf } from "./runtime/lib/report.ts";
import { planOf, scenarios } from "./security/lib/attacks.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "bench/results.md"), "utf8");
const run = { date: "2026-01-02", facts: "2 cores", quick: false };

describe.each(parts)("$name", ({ name, program, minutes }) => {
  it("has a program, a time limit, and a section on the results page", () => {
    expect(existsSync(join(root, program))).toBe(true);
    expect(minutes).toBeGreaterThan(0);
    const changed = withResults(page, name, "NEW");
    expect(changed).toContain(`<!-- results: ${name} -->\n\nNEW\n\n<!-- end of results: ${name} -->`);
    expect(changed.length).toBeLessThan(page.length + 10);
  });
});

it("deployment returns the arguments of Node and the memory limit that scaffolded projects have", () => {
  const { nodeArguments, memoryMiB } = deployment();
  expect(nodeArguments).toEqual(["--v8-pool-size=1"]);
  expect(memoryMiB).toBe(384);
  const project = join(root, "testdata/projects/game");
  const command = ["/nodejs/bin/node", ...nodeArguments, "/app/main.js"];
  const entryPoint = command.map((word) => JSON.stringify(word)).join(", ");
  expect(readFileSync(join(project, "Dockerfile"), "utf8")).toContain(`ENTRYPOINT [${entryPoint}]`);
  const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  expect(scripts.start).toBe(`node ${nodeArguments.join(" ")} dist/main.js`);
});

it("withResults rejects a page without a section for the results", () => {
  expect(() => withResults("# Benchmarks\n", "x", "")).toThrow("no place for the results of x");
});

it("render reports measured, omitted, missed and interrupted benchmarks", () => {
  const results = {
    tables: [
      { columns: ["", "ours", "ratio"], rows: [["start", "5 ms", "0.50"]] },
      { columns: ["", "x"], rows: [] },
    ],
    absent: ["Go is left out"],
    missed: ["start"],
  };
  expect(render(results, { ...run, cut: "it took more than 5 minutes" })).toBe(
    [
      "Measured on 2026-01-02: 2 cores.",
      "**Not all of it was measured**: it took more than 5 minutes.",
      "Go is left out.",
      "|  | ours | ratio |\n| --- | ---: | ---: |\n| start | 5 ms | 0.50 |",
      "Limits that were missed:\n\n- start",
    ].join("\n\n"),
  );
});

fullTest("bench/main.ts publishes the results of an earlier run from its file, and marks an interrupted run", () => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
  const [file, out] = [join(directory, "soak.json"), join(directory, "benchmarks.md")];
  const main = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", "tsx", "bench/main.ts", ...args], { cwd: root, encoding: "utf8" });
  try {
    const samples = { columns: ["minute", "heap"], rows: [["1.0", "15.0"]] };
    const results = { columns: ["", "result"], rows: [["changes missed", "0"]] };
    const run = { tables: [samples, results], charts: [], absent: [], missed: [], samples: [{ minute: 1 }] };
    writeFileSync(file, JSON.stringify(run));
    expect(main("--found", `soak=${file}`, "--out", out).status).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("| changes missed | 0 |");
    writeFileSync(file, JSON.stringify({ ...run, tables: [samples] }));
    expect(main("--found", `soak=${file}`, "--out", out).status).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("**Not all of it was measured**: interrupted.");
    // Other parts have one table of results, and samples.
    expect(main("--found", `apiserver=${file}`, "--out", out).status).toBe(0);
    expect(readFileSync(out, "utf8")).not.toContain("**Not all of it was measured**");
    expect(main("--found", "soak=/none").stderr).toBe(
      "--found soak=/none: must be PART=FILE, and the file must exist\n",
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

const bars = [
  { name: "start", ratio: 0.25 },
  { name: 'a <"big"> one', ratio: 0.5 },
  { name: "memory", ratio: 2 },
];
const withoutRows = { tables: [], charts: [{ title: "Ours / theirs", bars }], absent: [], missed: [] };

it("chartFiles draws ratios as bars in files next to the page, and render adds a description", () => {
  const files = chartFiles("benchmarks", "start-up", withoutRows);
  expect(render(withoutRows, { ...run, cut: undefined, files })).toContain(
    "\n\n![Ours / theirs. 2 of 3 are at most 1; from 0.25 (start) to 2.00 (memory). The table above has all numbers.](benchmarks/start-up.svg)",
  );
  const [{ path, text }] = files as [ChartFile];
  expect(path).toBe("benchmarks/start-up.svg");
  expect(text).toContain("<title>Ours / theirs</title>");
  expect(text).toContain("a &#60;&#34;big&#34;&#62; one</text>");
  const drawn = [...text.matchAll(/<rect class="(less|more)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
  const [start, big, memory] = drawn.map(([, kind, x, width]) => ({
    kind,
    from: Number(x),
    to: Number(x) + Number(width),
  }));
  // A ratio of 1/2 is as far from the middle as a ratio of 2, and a ratio of 1/4 is twice as far. They are on opposite sides.
  const middle = start!.to;
  expect([start!.kind, big!.kind, memory!.kind]).toEqual(["less", "less", "more"]);
  expect([big!.to, memory!.from]).toEqual([middle, middle]);
  expect(middle - start!.from).toBeCloseTo(2 * (middle - big!.from));
  expect(memory!.to - middle).toBeCloseTo(middle - big!.from);
});

it("chartFiles returns no file for a benchmark without a comparison", () => {
  expect(chartFiles("benchmarks", "image", { ...withoutRows, charts: [] })).toEqual([]);
});

it("chart leaves out values that were too short to measure", () => {
  const file = join(mkdtempSync(join(tmpdir(), "kubewright-bench-")), "found.json");
  const code = `const { chart } = await import(${JSON.stringify(join(root, "bench/lib/results.ts"))});
    chart("some", [{ name: "a", ratio: 2 }, { name: "b", ratio: Infinity }, { name: "c", ratio: 0 }, { name: "d", ratio: NaN }]);
    chart("none", [{ name: "e", ratio: NaN }]);`;
  execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code, "--", "--json", file], {
    cwd: root,
  });
  const { charts } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(dirname(file), { recursive: true });
  expect(charts).toEqual([{ title: "some", bars: [{ name: "a", ratio: 2 }] }]);
});

it("bars compares rates by the cost of one operation, like all other values", () => {
  const count = { what: "rounds a second", digits: 0, ours: 2000, theirs: 1000, ratio: 2, cost: "round" };
  const alone = { what: "import", digits: 0, ours: 2, ratio: undefined };
  expect(barsOf([count, { what: "CPU", digits: 2, ours: 3, theirs: 1, ratio: 3 }, alone])).toEqual([
    { name: "round", ratio: 0.5 },
    { name: "CPU", ratio: 3 },
  ]);
});

it("machineFacts doesn't contain the name of the machine", () => {
  const facts = machineFacts();
  expect(facts).toMatch(/^\d+ cores? \(.+\), \d+ GiB, \w+ \w+, Node v\d+/);
});

it("planOf spreads the connections over all attacks", () => {
  const ports = { webhook: 1, metrics: 2, health: 3 };
  for (const scenario of scenarios.filter(({ attacks }) => attacks.length > 0)) {
    const plan = planOf(scenario, 500, ports, false);
    expect(plan.reduce((sum, { connections }) => sum + connections, 0)).toBe(500);
    expect(Math.min(...plan.map(({ connections }) => connections))).toBeGreaterThan(20);
    expect(new Set(plan.map(({ localAddress }) => localAddress)).size).toBe(plan.length);
  }
});
