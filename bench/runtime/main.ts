// Compares the runtime with Go's controller-runtime v0.25.2: runs the same operator (a ConfigMap and a status per object) on
// both in turn, with etcd and kube-apiserver on this machine.
//   node --import tsx bench/runtime/main.ts [--only cold,large,rate,noop,fanout,first,idle,restart,import] [--runs N] [--operators ours,Go]
// Needs Linux, a built checkout and KUBEBUILDER_ASSETS. Without Go, its side is omitted with a note. A full run takes half
// an hour.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCgroup } from "../lib/cgroup.ts";
import { absent, chart, missed, table as result, save } from "../lib/results.ts";
import { buildOurs, buildTheirs } from "./lib/operators.ts";
import { bars, cells, heads, kept, type Line, table } from "./lib/report.ts";
import { cold } from "./measures/cold.ts";
import { fanOut } from "./measures/fan-out.ts";
import { first } from "./measures/first.ts";
import { idle } from "./measures/idle.ts";
import { importing } from "./measures/import.ts";
import { large } from "./measures/large.ts";
import { noop } from "./measures/noop.ts";
import type { Options } from "./measures/options.ts";
import { rate } from "./measures/rate.ts";
import { restart } from "./measures/restart.ts";

const measures: Readonly<Record<string, (options: Options) => Promise<Line[]>>> = {
  cold,
  large,
  rate,
  noop,
  fanout: fanOut,
  first,
  idle,
  restart,
  import: importing,
};

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(measures).join(",") },
    runs: { type: "string", default: "3" },
    operators: { type: "string", default: "ours,Go" },
    json: { type: "string" },
  },
});
const wanted = flags.only.split(",").map((name) => {
  const measure = measures[name];
  if (!measure) throw new Error(`--only ${name}: must be some of ${Object.keys(measures).join(", ")}`);
  return { name, measure };
});
if (process.platform !== "linux") throw new Error("the benchmark reads /proc: it needs Linux");

const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
try {
  const names = flags.operators.split(",");
  const ours = names.includes("ours") ? await buildOurs(scratch) : undefined;
  const theirs = names.includes("Go") ? await buildTheirs(scratch) : undefined;
  if (names.includes("Go") && !theirs) absent("controller-runtime is left out: `go` isn't on PATH");
  const [first, ...others] = [ours, theirs].filter((operator) => operator !== undefined);
  if (first === undefined) throw new Error(`--operators ${flags.operators}: must be ours, Go or both`);
  const operators = [first, ...others] as const;
  const memoryMiB = ours?.memoryMiB;
  if (memoryMiB !== undefined) {
    const probe = createCgroup(`kubewright-bench-${process.pid}`, { memoryMiB });
    if (!probe) absent("no cgroup can be written: ours runs without the memory limit of its container");
    probe?.remove();
  }
  const lines: Line[] = [];
  const rows: string[][] = [];
  result(heads, rows);
  for (const { name, measure } of wanted) {
    process.stderr.write(`${name}\n`);
    const measured = await measure({ operators, runs: Number(flags.runs), scratch });
    lines.push(...measured);
    rows.push(...measured.map(cells));
    save();
  }
  console.log(`Node ${process.version}, ${cpus().length} CPUs (${cpus()[0]?.model}), medians of ${flags.runs} runs\n`);
  console.log(table(lines));
  chart("Time, memory and work, ours / controller-runtime in Go", bars(lines));
  for (const line of lines) if (kept(line) === false) missed(line.what);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
