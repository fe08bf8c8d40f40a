// Results of a benchmark, written with `--json FILE`. `npm run bench` generates the tables of docs/reference/benchmarks.md from them.
import { writeFileSync } from "node:fs";

const at = process.argv.indexOf("--json");
const file = at > 0 ? process.argv[at + 1] : undefined;
const found = { tables: [], charts: [], absent: [], missed: [] };

/** A table: its columns' heads, and rows of as many texts. The first column names the measurement. */
export function table(columns, rows) {
  found.tables.push({ columns, rows });
  save();
}

/**
 * Ratios `{ name, ratio }` of ours to a peer's, of which less is better: what a glance should tell of a table. There are none of what was
 * too short to be measured, and no chart without a peer.
 */
export function chart(title, bars) {
  const shown = bars.filter(({ ratio }) => ratio > 0 && Number.isFinite(ratio));
  if (shown.length > 0) found.charts.push({ title, bars: shown });
  save();
}

/** The measurements behind the tables, which only the file has. */
export function samples(all) {
  found.samples = all;
  save();
}

/** Something that this machine lacks, and what is left out for want of it. Said on the terminal, too. */
export function absent(text) {
  console.log(text);
  found.absent.push(text);
  save();
}

/** A limit that isn't kept. */
export function missed(text) {
  found.missed.push(text);
  save();
}

/** Each time, and when rows are added to a table: what was found counts, though the rest should not come to be. */
export function save() {
  if (file) writeFileSync(file, JSON.stringify(found));
}

/** Numbers as the tables show them. */
export const ms = (value) => `${value.toFixed(0)} ms`;
export const seconds = (value) => `${value.toFixed(2)} s`;
export const mebibytes = (value) => `${value.toFixed(0)} MiB`;
export const times = (value) => value.toFixed(2);
