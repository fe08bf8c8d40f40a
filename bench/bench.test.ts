// `npm run bench` without measuring anything: its parts are there, and have their place on the page.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { machineFacts } from "./lib/machine.mjs";
import { render, withResults } from "./lib/page.mjs";
import { parts } from "./parts.mjs";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/reference/benchmarks.md"), "utf8");
const run = { date: "2026-01-02", facts: "2 cores", quick: false };

describe.each(parts as { name: string; program: string; minutes: number }[])("$name", ({ name, program, minutes }) => {
  it("has a program, a time limit, and a place on the page", () => {
    expect(existsSync(join(root, program))).toBe(true);
    expect(minutes).toBeGreaterThan(0);
    const changed: string = withResults(page, name, "NEW");
    expect(changed).toContain(`<!-- results: ${name} -->\n\nNEW\n\n<!-- end of results: ${name} -->`);
    expect(changed.length).toBeLessThan(page.length + 10);
  });
});

it("refuses a page without a place", () => {
  expect(() => withResults("# Benchmarks\n", "x", "")).toThrow("no place for the results of x");
});

it("tells what was measured, what is absent, missed and cut short", () => {
  const found = {
    tables: [
      { columns: ["", "ours", "ratio"], rows: [["start", "5 ms", "0.50"]] },
      { columns: ["", "x"], rows: [] },
    ],
    absent: ["Go is left out"],
    missed: ["start"],
  };
  expect(render(found, { ...run, cut: "it took more than 5 minutes" })).toBe(
    [
      "Measured on 2026-01-02: 2 cores.",
      "**Not all of it was measured**: it took more than 5 minutes.",
      "Go is left out.",
      "|  | ours | ratio |\n| --- | ---: | ---: |\n| start | 5 ms | 0.50 |",
      "Limits that were missed:\n\n- start",
    ].join("\n\n"),
  );
});

it("names no machine", () => {
  const facts: string = machineFacts();
  expect(facts).toMatch(/^\d+ cores? \(.+\), \d+ GiB, \w+ \w+, Node v\d+/);
});
