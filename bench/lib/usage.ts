// Measures CPU time and peak memory of a process with the launcher in conformance/crd-parity. Node can't measure them for
// a single child.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "./process.ts";
import { median } from "./statistics.ts";

/** A command to measure. */
export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Called before each run. */
  readonly before?: () => void;
}

export interface Usage {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly rssMiB: number;
}

/** The medians of two commands, and of their ratios, pair by pair. */
export interface UsagePair {
  readonly a: Usage;
  readonly b: Usage;
  readonly ratio: Usage;
}

/**
 * Runs a command once after `before()`.
 *
 * @param parity - path of the launcher
 * @param scratch - directory for the launcher's report
 */
export function usage(parity: string, scratch: string, { argv, cwd, before }: Command): Usage {
  before?.();
  const report = join(scratch, "usage.json");
  execFileSync(parity, ["launch", report, ...argv], { cwd, env: environment, stdio: "pipe" });
  return JSON.parse(readFileSync(report, "utf8")) as Usage;
}

/** Measures two commands in turn, after one warm-up each. */
export function usagePair(parity: string, scratch: string, a: Command, b: Command, runs: number): UsagePair {
  for (const command of [a, b]) usage(parity, scratch, command);
  const pairs = Array.from({ length: runs }, () => ({
    a: usage(parity, scratch, a),
    b: usage(parity, scratch, b),
  }));
  const medians = (value: (pair: { a: Usage; b: Usage }, key: keyof Usage) => number): Usage => ({
    cpuSeconds: median(pairs.map((pair) => value(pair, "cpuSeconds"))),
    wallSeconds: median(pairs.map((pair) => value(pair, "wallSeconds"))),
    rssMiB: median(pairs.map((pair) => value(pair, "rssMiB"))),
  });
  return {
    a: medians(({ a }, key) => a[key]),
    b: medians(({ b }, key) => b[key]),
    ratio: medians(({ a, b }, key) => a[key] / b[key]),
  };
}
