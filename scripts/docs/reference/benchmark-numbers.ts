import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/run.mjs";

/** A measurement of kubewright and of its counterpart in Go. */
export interface Measurement {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
  readonly peer: string;
  /**
   * Cost of kubewright, divided by that of its counterpart: the median of the single runs, if they have ratios of their own.
   * For rates, this is the cost per operation.
   */
  readonly ratio: number;
}

interface Source {
  readonly name: string;
  readonly peer: string;
  /** The part of bench/results.md, and the first cells of the rows with both values or with one each. */
  readonly part: string;
  readonly row: string | readonly [ours: string, theirs: string];
  /** The columns of both values in their rows, counting from 1 after the first cell. */
  readonly columns: readonly [ours: number, theirs: number];
  readonly isRate?: true;
}

const sources: readonly Source[] = [
  {
    name: "Generate CRDs of cert-manager: CPU time",
    peer: "controller-gen",
    part: "generate",
    row: "cert-manager",
    columns: [1, 2],
  },
  {
    name: "Start with 5,000 objects",
    peer: "controller-runtime",
    part: "runtime",
    row: "cold start, 5,000 objects: wall",
    columns: [1, 2],
  },
  {
    name: "Change to status at 50 changes per second: p99",
    peer: "controller-runtime",
    part: "runtime",
    row: "50 changes a second: p99",
    columns: [1, 2],
  },
  {
    name: "Reconciles per CPU second",
    peer: "controller-runtime",
    part: "runtime",
    row: "no-op reconciles per CPU second",
    columns: [1, 2],
    isRate: true,
  },
  {
    name: "Peak memory with 5,000 objects",
    peer: "controller-runtime",
    part: "runtime",
    row: "cold start, 5,000 objects: peak memory",
    columns: [1, 2],
  },
  {
    name: "Webhook reviews per second",
    peer: "controller-runtime",
    part: "webhook",
    row: ["ours | kept", "Go | kept"],
    columns: [3, 3],
    isRate: true,
  },
];

const results = (): string => readFileSync(join(root, "bench/results.md"), "utf8");

/** Returns the date and the machine of the measurements of the runtime. */
export function measuredOn(): string {
  const [, text = ""] = /^Measured on ([^,]+, [^,]+, [^,]+)/m.exec(partOf(results(), "runtime")) ?? [];
  return text;
}

/**
 * Reads the six numbers of the benchmarks page and of the landing page from bench/results.md.
 *
 * @throws Error if a row isn't in the results
 */
export function measurements(): Measurement[] {
  const text = results();
  return sources.map(({ name, peer, part, row, columns: [first, second], isRate }) => {
    const [own, other] = typeof row === "string" ? [row, row] : row;
    const ours = cellsOf(text, part, own)[first - 1] ?? "";
    const theirs = cellsOf(text, part, other)[second - 1] ?? "";
    // A row with both values has their ratio after them.
    const measured = typeof row === "string" ? cellsOf(text, part, row)[second] : undefined;
    const ratio = Number.parseFloat(measured ?? "") || Number.parseFloat(ours) / Number.parseFloat(theirs);
    return { name, peer, ours: readable(ours), theirs: readable(theirs), ratio: isRate ? 1 / ratio : ratio };
  });
}

function partOf(text: string, part: string): string {
  return text.slice(text.indexOf(`<!-- results: ${part} -->`), text.indexOf(`<!-- end of results: ${part} -->`));
}

function cellsOf(text: string, part: string, row: string): string[] {
  const line = partOf(text, part)
    .split("\n")
    .find((line) => line.startsWith(`| ${row} |`));
  if (line === undefined) throw new Error(`bench/results.md has no row "${row}" in ${part}`);
  const cells = line.split(" | ").slice(row.split(" | ").length);
  return cells.map((cell) => cell.replace(/ \|$/, ""));
}

/** Adds separators to large numbers. */
function readable(value: string): string {
  return value.replace(/^\d{4,}/, (digits) => Number(digits).toLocaleString("en-US"));
}
