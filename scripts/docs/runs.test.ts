// Each block of command lines is run by a test: by runs.full.test.ts, or by one that the table names and that is there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./pages.ts";
import { type Way, ways } from "./runs.ts";
import { allScripts, type Script } from "./scripts.ts";

const scripts = allScripts();
const rows = Object.values(ways).flatMap((page) => Object.values(page));
const at = ({ page, line }: Script): string => `${page}:${line}`;

it("finds blocks", () => expect(scripts.length).toBeGreaterThan(50));

it("has one row for each block", () => {
  expect(scripts.filter(({ ways }) => ways.length !== 1).map(at)).toEqual([]);
});

it("has no row without a block", () => {
  const stale = Object.entries(ways).flatMap(([page, rows]) =>
    Object.keys(rows)
      .filter((begin) => !scripts.some((script) => script.page === page && script.text.startsWith(begin)))
      .map((begin) => `${page}: ${begin}`),
  );
  expect(stale).toEqual([]);
});

it("names lines that are in their block", () => {
  const stale = scripts.flatMap((script) =>
    script.ways
      .flatMap(beginnings)
      .filter((begin) => !script.lines.some((line) => line.startsWith(begin)))
      .map((begin) => `${at(script)}: ${begin}`),
  );
  expect(stale).toEqual([]);
});

function beginnings(way: Way): string[] {
  return "after" in way ? [...(way.says ?? []), ...(way.silent ?? []), ...Object.keys(way.elsewhere ?? {})] : [];
}

it("names tests that exist", () => {
  const tests = rows.flatMap((way) =>
    "by" in way ? way.by : "after" in way ? Object.values(way.elsewhere ?? {}) : [],
  );
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
});

it("leaves out what would measure, needs a kubelet or a registry, or is npm test itself", () => {
  const left = scripts.filter(({ ways }) => ways.some((way) => "cannot" in way)).map(({ page }) => page);
  expect([...new Set(left)].sort()).toEqual([
    "CONTRIBUTING.md",
    "bench/results.md",
    "docs/deploy.md",
    "docs/how-to/develop.md",
    "docs/how-to/profile.md",
  ]);
});

it("shows the flags that the benchmarks have", () => {
  const usages = scripts.flatMap(({ lines }) => lines.filter((line) => line.startsWith("node bench/")));
  expect(usages.length).toBeGreaterThan(3);
  const unknown = usages.flatMap((usage) => {
    const [, program = "", ...words] = usage.split(" ");
    const source = readFileSync(join(root, program), "utf8");
    const flags = words.flatMap((word) => /--([\w-]+)/.exec(word)?.[1] ?? []);
    // As a key of parseArgs, or as a word that the program looks for.
    const known = (flag: string) => new RegExp(`["\\s](--)?${flag}(": |: |")`).test(source);
    return flags.filter((flag) => !known(flag)).map((flag) => `${program} --${flag}`);
  });
  expect(unknown).toEqual([]);
});
