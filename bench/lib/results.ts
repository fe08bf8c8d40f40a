// Results of a benchmark, written with `--json FILE`. `npm run bench` generates the tables of bench/results.md from them.
import { writeFileSync } from "node:fs";

export interface Table {
  /** The headings. The first column names the measurement. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A ratio of ours to a peer's, where less is better. */
export interface Bar {
  readonly name: string;
  readonly ratio: number;
}

export interface Chart {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The content of the file. */
export interface Results {
  readonly tables: Table[];
  readonly charts: Chart[];
  /** One line per tool that this machine lacks, with the omitted measurements. */
  readonly absent: string[];
  /** The limits that were missed. */
  readonly missed: string[];
  /** The measurements behind the tables. */
  samples?: unknown;
}

const at = process.argv.indexOf("--json");
const file = at > 0 ? process.argv[at + 1] : undefined;
const results: Results = { tables: [], charts: [], absent: [], missed: [] };

/** Adds a table. Rows can be added later, until {@link save}. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  results.tables.push({ columns, rows });
  save();
}

/** Adds a chart. Omits bars that were too short to measure, and charts without bars. */
export function chart(title: string, bars: readonly Bar[]): void {
  const shown = bars.filter(({ ratio }) => ratio > 0 && Number.isFinite(ratio));
  if (shown.length > 0) results.charts.push({ title, bars: shown });
  save();
}

/** Adds the measurements behind the tables, which only the file contains. */
export function samples(all: unknown): void {
  results.samples = all;
  save();
}

/** Records something that this machine lacks, and what is omitted because of it. Also prints it. */
export function absent(text: string): void {
  console.log(text);
  results.absent.push(text);
  save();
}

/** Records a missed limit. The process then exits with 1. */
export function missed(text: string): void {
  process.exitCode = 1;
  results.missed.push(text);
  save();
}

/**
 * Compares a value with its limit, prints the result, and records a missed limit.
 *
 * @param what - the name of the measurement, with its unit
 * @returns whether the value is within the limit
 */
export function limit(what: string, value: number, most: number): boolean {
  const isKept = value <= most;
  console.log(`${isKept ? "kept  " : "MISSED"} ${what}: ${value.toFixed(3)}, at most ${most}`);
  if (!isKept) missed(`${what}: ${value.toFixed(3)}, at most ${most} is allowed`);
  return isKept;
}

/** Saves after each addition, so that earlier results stay if a later measurement fails. */
export function save(): void {
  if (file) writeFileSync(file, JSON.stringify(results));
}

/** Formats numbers for the tables. */
export const ms = (value: number): string => `${value.toFixed(0)} ms`;
export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`;
export const times = (value: number): string => value.toFixed(2);
