// Measures the scaffolder's time beyond Node's own start:
//   node --import tsx bench/scaffold.ts [--runs N]
// Each command runs on a new copy of the same tree without installing packages, in turn with `node -e 0`. If Go is installed,
// kubebuilder v4.15.0 is built and runs the same steps, with a `go` on PATH that does nothing. Exits 1 if a command exceeds
// its limit.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { type Measured, type PairTimes, pair } from "./lib/pair.ts";
import { absent, chart, ms as inTable, missed, table } from "./lib/results.ts";

const { values: flags } = parseArgs({
  options: { runs: { type: "string", default: "15" }, json: { type: "string" } },
});
const runs = Number(flags.runs);
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const nothing = { command: process.execPath, args: ["-e", "0"], cwd: scratch };

/**
 * Returns a copy of the checkout that behaves like a released package. From a checkout, `init` packs the packages of the checkout into
 * the project, which belongs to installing.
 */
function released(): string {
  const copy = join(scratch, "released");
  mkdirSync(copy);
  for (const part of ["bin", "dist", "templates", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const info = join(copy, "dist/build-info.json");
  writeFileSync(info, JSON.stringify({ ...JSON.parse(readFileSync(info, "utf8")), published: true }));
  return join(copy, "bin/scaffold.js");
}

interface Step {
  readonly name: string;
  /** The limit: milliseconds more than `node -e 0`, each at its fastest, because a busy machine affects the other runs. */
  readonly most: number;
  /** Arguments of our command line, of the peer's, and of both. */
  readonly ours?: readonly string[];
  readonly theirs: readonly string[];
  readonly both: readonly string[];
}

const kind = ["--group", "shop", "--version", "v1", "--kind", "Game"];
const steps: readonly Step[] = [
  {
    name: "init",
    most: 200,
    ours: ["--fetch-deps=false"],
    theirs: ["--repo", "example.com/bench"],
    both: ["init", "--domain", "example.com"],
  },
  {
    name: "create api",
    most: 450,
    theirs: ["--make=false"],
    both: ["create", "api", ...kind, "--resource", "--controller"],
  },
  {
    name: "create webhook",
    most: 450,
    theirs: ["--make=false"],
    both: ["create", "webhook", ...kind, "--defaulting"],
  },
];

interface StepTimes extends PairTimes {
  readonly name: string;
  readonly most: number;
}

/** Measures a tool's steps, each on a copy of the previous step's result. */
async function measure(
  tool: string,
  command: Measured,
  argsOf: (step: Step) => readonly string[],
): Promise<StepTimes[]> {
  const made = join(scratch, `${tool}-made`);
  const work = join(scratch, `${tool}-bench`);
  mkdirSync(made);
  const results: StepTimes[] = [];
  for (const step of steps) {
    const fresh = (): void => {
      rmSync(work, { recursive: true, force: true });
      cpSync(made, work, { recursive: true });
    };
    const call = { ...command, args: [...command.args, ...argsOf(step)], cwd: work, before: fresh };
    const result = await pair(call, nothing, runs);
    results.push({ name: `${tool} ${step.name}`, most: step.most, ...result });
    rmSync(made, { recursive: true });
    cpSync(work, made, { recursive: true });
  }
  return results;
}

/**
 * Builds kubebuilder from its Go module. Returns its command, with a PATH on which `go` does nothing; `undefined` if it can't
 * be built.
 */
function kubebuilder(): Measured | undefined {
  const command = join(scratch, "kubebuilder");
  const go = (args: readonly string[], cwd: string) => spawnSync("go", args, { cwd, encoding: "utf8" });
  const module = go(["mod", "download", "-json", "sigs.k8s.io/kubebuilder/v4@v4.15.0"], scratch);
  if (module.status !== 0 || go(["build", "-o", command, "."], JSON.parse(module.stdout).Dir).status !== 0)
    return undefined;
  const stub = join(scratch, "stub");
  mkdirSync(stub);
  writeFileSync(
    join(stub, "go"),
    '#!/bin/sh\ncase $1 in version) echo "go version go1.26.0 linux/amd64" ;; env | list) echo "{}" ;; esac\n',
  );
  chmodSync(join(stub, "go"), 0o755);
  return { command, args: [], env: { PATH: `${stub}${delimiter}${process.env.PATH}` } };
}

const ms = (value: number): string => `${value.toFixed(0).padStart(6)} ms`;

try {
  const scaffold = { command: process.execPath, args: [released()] };
  console.log(
    `${"".padEnd(28)} ${"median".padStart(9)} ${"node -e 0".padStart(9)} ${"more".padStart(9)}   ${"fastest".padStart(9)} ${"node -e 0".padStart(9)} ${"more".padStart(9)}   ${runs} pairs`,
  );
  const rows: string[][] = [];
  const show = ({ name, a, b, more, fastest }: StepTimes): void => {
    rows.push([name, ...[a, b, more, fastest.a, fastest.b, fastest.a - fastest.b].map(inTable)]);
    const least = [fastest.a, fastest.b, fastest.a - fastest.b].map(ms).join(" ");
    console.log(`${name.padEnd(28)} ${ms(a)} ${ms(b)} ${ms(more)}   ${least}`);
  };
  const ours = await measure("scaffold", scaffold, ({ both, ours: own = [] }) => [...both, ...own]);
  ours.forEach(show);
  const peer = kubebuilder();
  if (peer === undefined) absent("kubebuilder is left out: it could not be built (no Go on PATH?)");
  else {
    const theirs = await measure("kubebuilder", peer, ({ both, theirs: own }) => [...both, ...own]);
    theirs.forEach(show);
    const bars = ours.map(({ name, fastest }, index) => ({
      name,
      ratio: fastest.a / (theirs[index]?.fastest.a ?? Number.NaN),
    }));
    chart("Wall time at its fastest, ours / kubebuilder", bars);
  }
  for (const { name, most, fastest } of ours) {
    const more = fastest.a - fastest.b;
    if (more <= most) continue;
    const text = `${name} takes ${more.toFixed(0)} ms more than node -e 0: ${most} are allowed`;
    console.log(text);
    missed(text);
  }
  table(["", "median", "`node -e 0`", "more", "fastest", "`node -e 0`", "more"], rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
