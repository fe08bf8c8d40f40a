// An operator under steady changes and random faults: `node bench/soak.mjs [--minutes 30] [--rate 50] [--objects 500] [--seed N]`.
// Needs KUBEBUILDER_ASSETS. Prints a table, and exits 1 when an object was missed or memory grew.
import { parseArgs } from "node:util";
import { register } from "tsx/esm/api";

register();
const { heapGrowth, soak } = await import("./soak/soak.ts");

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string", default: "50" },
    objects: { type: "string", default: "500" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [minutes, rate, objects, seed] = [values.minutes, values.rate, values.objects, values.seed].map(Number);
const mib = (bytes) => (bytes / 2 ** 20).toFixed(1).padStart(8);

console.log(`${minutes} minutes, ${rate} changes/s on up to ${objects} objects, seed ${seed}`);
console.log("minute  heap MiB  ext. MiB   RSS MiB   changes  reconciles");
const report = await soak({
  minutes,
  rate,
  objects,
  seed,
  onSample: ({ minute, heapUsed, external, rss, changes, reconciles }) =>
    console.log(
      `${minute.toFixed(1).padStart(6)}  ${mib(heapUsed)}  ${mib(external)}  ${mib(rss)}  ${String(changes).padStart(8)}  ${String(reconciles).padStart(10)}`,
    ),
});
const warmUp = Math.min(5, minutes / 3);
const growth = heapGrowth(report.samples, warmUp);
for (const [name, count] of [...report.mishaps].sort()) console.log(`${String(count).padStart(6)}  ${name}`);
console.log(`${report.changes} changes, ${report.failedChanges} that no server took`);
console.log(`heap after minute ${warmUp.toFixed(1)}: ${(growth * 100).toFixed(1)} % of growth (10 % is allowed)`);
console.log(
  `all reconciled ${(report.settledAfter / 1000).toFixed(1)} s after the last fault, ${report.missed.length} missed`,
);
console.log(`${report.unhandled} unhandled rejections, exit code ${report.exitCode}, log ${report.log}`);
for (const line of report.missed.slice(0, 20)) console.log(`MISSED: ${line}`);
process.exitCode =
  report.missed.length === 0 && growth <= 0.1 && report.unhandled === 0 && report.exitCode === 0 ? 0 : 1;
