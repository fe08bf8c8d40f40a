// A test must run each block of command lines: runs.full.test.ts, or another test that the table names.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./pages.ts";
import type { Procedure } from "./procedure.ts";
import { procedures } from "./runs.ts";
import { allScripts, type Script } from "./scripts.ts";

const scripts = allScripts();
const rows = Object.values(procedures).flatMap((page) => Object.values(page));
const at = ({ page, line }: Script): string => `${page}:${line}`;

it("the documentation has blocks of command lines", () => expect(scripts.length).toBeGreaterThan(50));

it("each block has one row in the table", () => {
  expect(scripts.filter(({ procedures }) => procedures.length !== 1).map(at)).toEqual([]);
});

it("each row of the table has a block", () => {
  const stale = Object.entries(procedures).flatMap(([page, rows]) =>
    Object.keys(rows)
      .filter((begin) => !scripts.some((script) => script.page === page && script.text.startsWith(begin)))
      .map((begin) => `${page}: ${begin}`),
  );
  expect(stale).toEqual([]);
});

it("the prefixes in the table match lines of their block", () => {
  const stale = scripts.flatMap((script) =>
    script.procedures
      .flatMap(beginnings)
      .filter((begin) => !script.lines.some((line) => line.startsWith(begin)))
      .map((begin) => `${at(script)}: ${begin}`),
  );
  expect(stale).toEqual([]);
});

function beginnings(procedure: Procedure): string[] {
  return "after" in procedure
    ? [...(procedure.printing ?? []), ...(procedure.silent ?? []), ...Object.keys(procedure.testedBy ?? {})]
    : [];
}

it("the tests in the table exist", () => {
  const tests = rows.flatMap((procedure) =>
    "by" in procedure ? procedure.by : "after" in procedure ? Object.values(procedure.testedBy ?? {}) : [],
  );
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
});

it("only blocks that measure, need a kubelet or a registry, or are npm test itself are untested", () => {
  const left = scripts
    .filter(({ procedures }) => procedures.some((procedure) => "untested" in procedure))
    .map(({ page }) => page);
  expect([...new Set(left)].sort()).toEqual([
    "CONTRIBUTING.md",
    "bench/results.md",
    "docs/guides/deploy.md",
    "docs/guides/develop.md",
    "docs/guides/profile.md",
  ]);
});

it("calls of benchmarks use existing flags", () => {
  const usages = scripts.flatMap(({ lines }) => lines.filter((line) => line.startsWith("node --import tsx bench/")));
  expect(usages.length).toBeGreaterThan(3);
  const unknown = usages.flatMap((usage) => {
    const [, , , program = "", ...words] = usage.split(" ");
    const source = readFileSync(join(root, program), "utf8");
    const flags = words.flatMap((word) => /--([\w-]+)/.exec(word)?.[1] ?? []);
    // The flag is a key of parseArgs, or a string that the program searches for.
    const usesFlag = (flag: string) => new RegExp(`["\\s](--)?${flag}(": |: |")`).test(source);
    return flags.filter((flag) => !usesFlag(flag)).map((flag) => `${program} --${flag}`);
  });
  expect(unknown).toEqual([]);
});
