// Compares `generate` with controller-gen v0.23.0, in turn in the same run: CPU (user + system), wall time and peak memory.
//   CONTROLLER_GEN=… node --import tsx bench/generate.ts [--runs N] [--only modules,growth,again,watch] [--work DIR]
// Needs a built checkout, Go and controller-gen (CONTROLLER_GEN). Measurements that lack one of the last two are omitted.
// conformance/crd-parity translates the modules once per --work directory.
// The cache is cleared before each of our runs, except for the measurements of the cache itself.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { scaffoldBin } from "../scripts/test-support/scaffold.ts";
import { findControllerGen, parityModules } from "./lib/controller-gen.ts";
import { buildGo } from "./lib/go.ts";
import { manyTypes } from "./lib/many-types.ts";
import { absent, type Bar, chart, limit as compare, mebibytes, seconds, table, times } from "./lib/results.ts";
import { geometricMean, median, percentile } from "./lib/statistics.ts";
import { type Command, type Usage, type UsagePair, usage, usagePair } from "./lib/usage.ts";

const { values: flags } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    only: { type: "string", default: "modules,growth,again,watch" },
    work: { type: "string", default: join(tmpdir(), "crd-parity") },
    json: { type: "string" },
  },
});
const runs = Number(flags.runs);
const only = flags.only.split(",");
const { work } = flags;
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));

/** The rows of the current table, which {@link finish} completes with a title. */
let rows: string[][] = [];
const limits: string[][] = [];
const bars: Bar[] = [];
function finish(ours: string, theirs: string): void {
  const heads = ["CPU", "wall", "memory"].flatMap((what) => [`${what}, ${ours}`, theirs, "ratio"]);
  table(["", ...heads], rows);
  rows = [];
}

const fixed = (value: number, digits: number, width: number): string => value.toFixed(digits).padStart(width);
const limit = (what: string, value: number, most: number): void => {
  const isKept = compare(what, value, most);
  limits.push([what, value.toFixed(3), `≤ ${most}`, isKept ? "kept" : "**missed**"]);
};

const forget = (project: string) => (): void => {
  for (const place of ["node_modules/.cache", "actual"]) rmSync(join(project, place), { recursive: true, force: true });
};
const ours = (project: string, crd: string): Command => ({
  argv: [process.execPath, scaffoldBin, "generate", crd, "paths=./api/...", "output:crd:dir=actual"],
  cwd: project,
  before: forget(project),
});
const theirs = (controllerGen: string, module: string, crd: string, paths: readonly string[]): Command => {
  const out = join(scratch, "expected");
  mkdirSync(out, { recursive: true });
  return { argv: [controllerGen, crd, `output:crd:dir=${out}`, ...paths.map((path) => `paths=${path}`)], cwd: module };
};

const head = `${"ours / controller-gen".padEnd(22)} ${"cpu s".padStart(12)} ${"×".padStart(5)} ${"wall s".padStart(12)} ${"×".padStart(5)} ${"MiB".padStart(10)} ${"×".padStart(5)}`;
function row(name: string, { a, b, ratio }: UsagePair): void {
  const cells = (key: keyof Usage, form: (value: number) => string): string[] => [
    form(a[key]),
    form(b[key]),
    times(ratio[key]),
  ];
  rows.push([name, ...cells("cpuSeconds", seconds), ...cells("wallSeconds", seconds), ...cells("rssMiB", mebibytes)]);
  const both = (key: keyof Usage, digits: number, width: number): string =>
    `${fixed(a[key], digits, width)} ${fixed(b[key], digits, width)}`;
  const columns = [
    [both("cpuSeconds", 2, 6), fixed(ratio.cpuSeconds, 2, 5)],
    [both("wallSeconds", 2, 6), fixed(ratio.wallSeconds, 2, 5)],
    [both("rssMiB", 0, 5), fixed(ratio.rssMiB, 2, 5)],
  ];
  console.log([name.padEnd(22), ...columns.flat()].join(" "));
}

function modules(parity: string, controllerGen: string): void {
  const { modules } = parityModules();
  const lacking = modules.filter(({ name }) => !existsSync(join(work, name, "project/api"))).map(({ name }) => name);
  if (lacking.length > 0) {
    const args = ["run", "-baseline", "-work", work, "-only", lacking.join(",")];
    const env = { ...process.env, KUBEWRIGHT: root };
    execFileSync(parity, args, { cwd: join(root, "conformance/crd-parity"), env, stdio: "pipe" });
  }
  console.log(head);
  const results = modules.map(({ name, module, paths, crd }) => {
    const option = crd === undefined ? "crd" : `crd:${crd}`;
    const packages = paths.map((path) => `${module}/${path.replace(/^\.\/?/, "")}`.replace(/\/$/, ""));
    const reference = theirs(controllerGen, join(work, name, "module"), option, packages);
    const result = usagePair(parity, scratch, ours(join(work, name, "project"), option), reference, runs);
    row(name, result);
    return result;
  });
  finish("ours", "controller-gen");
  const cpu = results.map(({ ratio }) => ratio.cpuSeconds);
  bars.push(...modules.map(({ name }, index) => ({ name, ratio: cpu[index] ?? Number.NaN })));
  // Node 20 has no cache for the compiled code of the TypeScript compiler.
  const major = Number(process.versions.node.split(".")[0]);
  limit("geometric mean of the CPU ratios", geometricMean(cpu), major < 22 ? 0.9 : 0.65);
  limit("highest CPU ratio", Math.max(...cpu), 1.3);
  limit("highest memory, MiB", Math.max(...results.map(({ a }) => a.rssMiB)), 140);
}

function growth(parity: string, controllerGen: string): void {
  console.log(`\n${head.replace("ours / controller-gen", "types")}`);
  const cost = (count: number): number => {
    const { project, module } = manyTypes(join(scratch, String(count)), count);
    const result = usagePair(
      parity,
      scratch,
      ours(project, "crd"),
      theirs(controllerGen, module, "crd", ["./..."]),
      Math.min(runs, 3),
    );
    row(String(count), result);
    bars.push({ name: `${count} types`, ratio: result.ratio.cpuSeconds });
    return result.a.cpuSeconds;
  };
  cost(10);
  const [hundred, thousand, all] = [cost(100), cost(1000), cost(8000)];
  finish("ours", "controller-gen");
  // The cost of each additional type, over the second and the last step. Warm code can only make the last step cheaper.
  limit("cost of a type at 8,000 to that at 1,000", (all - thousand) / 7000 / ((thousand - hundred) / 900), 1.5);
}

/** Measures a project with the cache in use. */
async function again(parity: string): Promise<void> {
  const { project } = manyTypes(join(scratch, "again"), 100);
  const warm = { ...ours(project, "crd"), before: undefined };
  const nothing: Command = { argv: [process.execPath, "-e", "0"], cwd: scratch };
  usage(parity, scratch, warm);
  // A stamp isn't stored as long as the types are new.
  await sleep(2500);
  const unchanged = usagePair(parity, scratch, warm, nothing, runs);
  console.log(`\n${head.replace("ours / controller-gen", "unchanged / node -e 0")}`);
  row("unchanged, 100 types, beside `node -e 0`", unchanged);
  limit("unchanged, seconds beyond node -e 0", unchanged.a.wallSeconds - unchanged.b.wallSeconds, 0.06);
  const rerun = usagePair(parity, scratch, warm, ours(project, "crd"), runs);
  row("unchanged, beside its first run", rerun);
  finish("unchanged", "beside");
  limit("unchanged to first run", rerun.ratio.wallSeconds, 0.3);
}

async function watch(): Promise<void> {
  const { project } = manyTypes(join(scratch, "watch"), 100);
  const file = join(project, "api/v1/kind0-types.ts");
  const text = readFileSync(file, "utf8");
  const output = join(project, "actual/bench.example.com_k0s.yaml");
  const child = spawn(
    process.execPath,
    [scaffoldBin, "generate", "crd", "paths=./api/...", "output:crd:dir=actual", "--watch"],
    {
      cwd: project,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  await new Promise<void>((resolve) =>
    child.stderr.on("data", (chunk) => {
      if (String(chunk).includes("watching")) resolve();
    }),
  );
  const took: number[] = [];
  for (let round = 0; round < 40; round++) {
    const start = performance.now();
    writeFileSync(file, text.replace("Kind 0.", `Kind 0, round ${round}.`));
    while (!readFileSync(output, "utf8").includes(`round ${round}.`)) await sleep(2);
    took.push(performance.now() - start);
    // Users pause between saves.
    await sleep(150);
  }
  child.kill();
  const p95 = percentile(took, 0.95);
  console.log(
    `\n--watch, 100 types, ${took.length} saves: p50 ${median(took).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
  );
  limit("p95 of --watch, ms", p95, 200);
}

try {
  const controllerGen = findControllerGen();
  const parity = await buildGo(join(root, "conformance/crd-parity"), join(scratch, "crd-parity"));
  if (parity === undefined)
    absent("all but --watch is left out: `go`, which the launcher is built with, isn't on PATH");
  else if (!controllerGen) absent("modules and growth are left out: set CONTROLLER_GEN to the path of controller-gen");
  if (parity && controllerGen && only.includes("modules")) modules(parity, controllerGen);
  if (parity && controllerGen && only.includes("growth")) growth(parity, controllerGen);
  if (parity && only.includes("again")) await again(parity);
  if (only.includes("watch")) await watch();
  table(["limit", "measured", "allowed", ""], limits);
  chart("CPU time of generate, ours / controller-gen", bars);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
