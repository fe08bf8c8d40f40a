// Compares the runtime with Go's controller-runtime v0.25.2: runs the same operator (a ConfigMap and a status per object) on
// both in turn, with etcd and kube-apiserver on this machine.
//   node bench/runtime/main.mjs [--only cold,large,rate,noop,fanout,first,idle,restart,import] [--runs N] [--operators ours,Go]
// Needs Linux, a built checkout and KUBEBUILDER_ASSETS. Without Go, its side is omitted with a note. A full run takes half
// an hour.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { absent, chart, missed, table as result, save } from "../lib/results.mjs";
import { createCgroup } from "../security/lib/cgroup.mjs";
import { buildOurs, buildTheirs } from "./lib/operators.mjs";
import { bars, cells, heads, kept, table } from "./lib/report.mjs";
import { cold } from "./measures/cold.mjs";
import { fanOut } from "./measures/fan-out.mjs";
import { first } from "./measures/first.mjs";
import { idle } from "./measures/idle.mjs";
import { importing } from "./measures/import.mjs";
import { large } from "./measures/large.mjs";
import { noop } from "./measures/noop.mjs";
import { rate } from "./measures/rate.mjs";
import { restart } from "./measures/restart.mjs";

const measures = { cold, large, rate, noop, fanout: fanOut, first, idle, restart, import: importing };

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(measures).join(",") },
    runs: { type: "string", default: "3" },
    operators: { type: "string", default: "ours,Go" },
    json: { type: "string" },
  },
});
const chosen = flags.only.split(",");
const unknown = chosen.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0) throw new Error(`--only ${unknown}: there are ${Object.keys(measures).join(", ")}`);
if (process.platform !== "linux") throw new Error("the benchmark reads /proc: it needs Linux");

const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
try {
  const wanted = flags.operators.split(",");
  const built = [
    wanted.includes("ours") && (await buildOurs(scratch)),
    wanted.includes("Go") && (await buildTheirs(scratch)),
  ];
  const operators = built.filter(Boolean);
  if (wanted.includes("Go") && !built[1]) absent("controller-runtime is left out: `go` isn't on PATH");
  const limited = operators.find(({ memoryMiB }) => memoryMiB);
  const probe = limited && createCgroup(`kubewright-bench-${process.pid}`, limited);
  if (limited && !probe) absent("no cgroup can be written: ours runs without the memory limit of its container");
  probe?.remove();
  const lines = [];
  const rows = [];
  result(heads, rows);
  for (const name of chosen) {
    process.stderr.write(`${name}\n`);
    const measured = await measures[name]({ operators, runs: Number(flags.runs), scratch });
    lines.push(...measured);
    rows.push(...measured.map(cells));
    save();
  }
  console.log(`Node ${process.version}, ${cpus().length} CPUs (${cpus()[0].model}), medians of ${flags.runs} runs\n`);
  console.log(table(lines));
  chart("Time, memory and work, ours / controller-runtime in Go", bars(lines));
  const over = lines.filter((entry) => kept(entry) === false);
  for (const { what } of over) missed(what);
  if (over.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
