// Runs an operator under steady changes and random faults:
//   node --import tsx bench/soak.ts [--minutes 120] [--rate 50] [--objects 200] [--seed N]
// `--json FILE` saves the numbers during the run, and `--snapshots DIRECTORY` writes heap snapshots after the warm-up and at
// the end. Needs KUBEBUILDER_ASSETS and generated core types (npm run build). Exits 1 if a limit is missed.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { missed, samples, save, table } from "./lib/results.ts";
import { soak } from "./soak/soak.ts";
import { heapGrowth, judge, type Sample, warmUpOf } from "./soak/verdict.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    rate: { type: "string", default: "50" },
    objects: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    snapshots: { type: "string" },
    json: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
const objects = Number(values.objects);
const seed = Number(values.seed);
if (values.snapshots) mkdirSync(values.snapshots, { recursive: true });
const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

console.log(`${minutes} minutes, ${rate} changes per second on up to ${objects} objects, seed ${seed}`);
const columns = [
  "minute",
  "heap, MiB",
  "code, MiB",
  "external, MiB",
  "RSS, MiB",
  "changes",
  "reconciles",
  "own writes",
  "delayed",
];
console.log(columns.map((name) => name.padStart(13)).join(""));
const all: Sample[] = [];
const rows: string[][] = [];
table(columns, rows);
const report = await soak({
  minutes,
  rate,
  objects,
  seed,
  snapshots: values.snapshots,
  onSample(sample) {
    const { minute, heapUsed, code, external, rss, changes, reconciles, sizes } = sample;
    const counts = [changes, reconciles, sizes["own writes"], sizes["delayed in the queue"]];
    const row = [minute.toFixed(1), mib(heapUsed), mib(code), mib(external), mib(rss), ...counts.map(String)];
    console.log(row.map((cell) => cell.padStart(13)).join(""));
    all.push(sample);
    // The page shows twelve lines; the file contains every sample.
    const step = minutes / 12;
    if (Math.floor(minute / step) > rows.length) rows.push(row);
    samples(all);
  },
});

const { from, to, growth } = heapGrowth(report.samples);
const failures = judge(report);
const summary: [string, string][] = [
  ["seed", String(seed)],
  ["changes", String(report.changes)],
  ["changes that no server confirmed", String(report.failedChanges)],
  [`heap after minute ${warmUpOf(minutes).toFixed(0)}`, `${mib(from)} MiB`],
  ["heap at the end", `${mib(to)} MiB`],
  ["growth (5 % is allowed)", percent(growth)],
  ["changes missed", String(report.missed.length)],
  ["until all is reconciled after the last fault", `${(report.settledAfter / 1000).toFixed(1)} s`],
  ["sizes not back at their start value", String(report.drained.length)],
  ["namespaces deleted", String(report.namespaces)],
  ["serving certificates", String(report.certificates)],
  ["reviews", String(report.reviews)],
  ["reviews lost", String([...report.lostReviews.values()].reduce((sum, count) => sum + count, 0))],
  ["take-overs of the Lease", String(report.takeOvers)],
  ["unhandled rejections", String(report.unhandled)],
];
table(["", "result"], summary);
const mishaps = [...report.mishaps].sort().map(([name, count]): [string, string] => [name, String(count)]);
table(["fault", "times"], mishaps);
for (const line of failures.slice(0, 40)) missed(line);
save();
console.log();
for (const [name, value] of [...summary, ...mishaps]) console.log(`${name.padEnd(48)} ${value}`);
for (const line of failures.slice(0, 40)) console.log(`FAILED: ${line}`);
console.log(`${failures.length === 0 ? "passed" : `failed: ${failures.length} limits missed`}; log: ${report.log}`);
