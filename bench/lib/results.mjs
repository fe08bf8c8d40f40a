// Results of a benchmark, written with `--json FILE`. `npm run bench` generates the tables of bench/results.md from them.
import { writeFileSync } from "node:fs";

const at = process.argv.indexOf("--json");
const file = at > 0 ? process.argv[at + 1] : undefined;
const results = { tables: [], charts: [], absent: [], missed: [] };

/** Adds a table with column headings and rows of strings. The first column names the measurement. */
export function table(columns, rows) {
  results.tables.push({ columns, rows });
  save();
}

/**
 * Adds a chart of ratios `{ name, ratio }` of ours to a peer's, where less is better. Omit measurements that were too short,
 * and charts without a peer.
 */
export function chart(title, bars) {
  const shown = bars.filter(({ ratio }) => ratio > 0 && Number.isFinite(ratio));
  if (shown.length > 0) results.charts.push({ title, bars: shown });
  save();
}

/** Adds the measurements behind the tables, which only the file contains. */
export function samples(all) {
  results.samples = all;
  save();
}

/** Records something that this machine lacks, and what is omitted because of it. Also prints it. */
export function absent(text) {
  console.log(text);
  results.absent.push(text);
  save();
}

/** Records a missed limit. */
export function missed(text) {
  results.missed.push(text);
  save();
}

/**
 * Compares a value with its limit, prints the result, and records a missed limit.
 *
 * @param what - the name of the measurement, with its unit
 */
export function limit(what, value, most) {
  const isKept = value <= most;
  console.log(`${isKept ? "kept  " : "MISSED"} ${what}: ${value.toFixed(3)}, at most ${most}`);
  if (!isKept) missed(`${what}: ${value.toFixed(3)}, at most ${most} is allowed`);
  return isKept;
}

/** Saves after each addition, so that earlier results stay if a later measurement fails. */
export function save() {
  if (file) writeFileSync(file, JSON.stringify(results));
}

/** Formats numbers for the tables. */
export const ms = (value) => `${value.toFixed(0)} ms`;
export const seconds = (value) => `${value.toFixed(2)} s`;
export const mebibytes = (value) => `${value.toFixed(0)} MiB`;
export const times = (value) => value.toFixed(2);
