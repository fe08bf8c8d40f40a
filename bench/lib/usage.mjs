// Measures CPU time and peak memory of a process with the launcher in conformance/crd-parity. Node can't measure them for
// a single child.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "../../scripts/lib/pair.mjs";
import { root } from "../../scripts/lib/run.mjs";
import { environment } from "./process.mjs";

export const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

export function hasGo() {
  return spawnSync("go", ["version"]).status === 0;
}

/** Builds the launcher, which is part of crd-parity. Needs Go. */
export function buildParity(scratch) {
  const binary = join(scratch, "crd-parity");
  execFileSync("go", ["build", "-o", binary, "."], { cwd: join(root, "conformance/crd-parity"), stdio: "pipe" });
  return binary;
}

/** Runs `argv` once after `before()`, and returns `{ cpuSeconds, wallSeconds, rssMiB }`. */
export function usage(parity, scratch, { argv, cwd, before }) {
  before?.();
  const report = join(scratch, "usage.json");
  execFileSync(parity, ["launch", report, ...argv], { cwd, env: environment, stdio: "pipe" });
  return JSON.parse(readFileSync(report, "utf8"));
}

/** Measures two commands in turn, after one warm-up each. Returns the medians of both and of their ratios. */
export function usagePair(parity, scratch, a, b, runs) {
  for (const command of [a, b]) usage(parity, scratch, command);
  const pairs = Array.from({ length: runs }, () => [usage(parity, scratch, a), usage(parity, scratch, b)]);
  const of = (side, key) => median(pairs.map((pair) => pair[side][key]));
  const ratio = (key) => median(pairs.map(([ours, theirs]) => ours[key] / theirs[key]));
  const keys = ["cpuSeconds", "wallSeconds", "rssMiB"];
  const valuesOf = (value) => Object.fromEntries(keys.map((key) => [key, value(key)]));
  return { a: valuesOf((key) => of(0, key)), b: valuesOf((key) => of(1, key)), ratio: valuesOf(ratio) };
}
