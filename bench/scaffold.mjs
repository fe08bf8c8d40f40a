// Measures the scaffolder's time beyond Node's own start: `node bench/scaffold.mjs [--runs N]`. Each command runs on a new
// copy of the same tree without installing packages, in turn with `node -e 0`. If Go is installed, kubebuilder v4.15.0 is
// built and runs the same steps, with a `go` on PATH that does nothing. Exits 1 if a command exceeds its limit.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pair } from "../scripts/lib/pair.mjs";
import { root } from "../scripts/lib/run.mjs";
import { absent, chart, ms as inTable, missed, table } from "./lib/results.mjs";

const runsAt = process.argv.indexOf("--runs");
const runs = runsAt > 0 ? Number(process.argv[runsAt + 1]) : 15;
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const nothing = { command: process.execPath, args: ["-e", "0"], cwd: scratch };

/**
 * Returns a copy of the checkout that behaves like a released package. From a checkout, `init` packs the packages of the checkout into
 * the project, which belongs to installing.
 */
function released() {
  const copy = join(scratch, "released");
  mkdirSync(copy);
  for (const part of ["bin", "dist", "templates", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const info = join(copy, "dist/build-info.json");
  writeFileSync(info, JSON.stringify({ ...JSON.parse(readFileSync(info, "utf8")), published: true }));
  return join(copy, "bin/scaffold.js");
}

const kind = ["--group", "shop", "--version", "v1", "--kind", "Game"];
/** `most`: milliseconds more than `node -e 0`, each at its fastest, because a busy machine affects the other runs. */
const steps = [
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

/** Measures a tool's steps, each on a copy of the previous step's result. */
async function measure(tool, command, argsOf, env) {
  const made = join(scratch, `${tool}-made`);
  const work = join(scratch, `${tool}-bench`);
  mkdirSync(made);
  const results = [];
  for (const step of steps) {
    const fresh = () => {
      rmSync(work, { recursive: true, force: true });
      cpSync(made, work, { recursive: true });
    };
    const call = { ...command, args: [...command.args, ...argsOf(step)], cwd: work, env, before: fresh };
    const result = await pair(call, nothing, runs);
    results.push({ name: `${tool} ${step.name}`, most: step.most, ...result });
    rmSync(made, { recursive: true });
    cpSync(work, made, { recursive: true });
  }
  return results;
}

/**
 * Builds kubebuilder from its Go module. Returns it with a PATH on which `go` does nothing; undefined if it can't be built.
 */
function kubebuilder() {
  const command = join(scratch, "kubebuilder");
  const go = (args, cwd) => spawnSync("go", args, { cwd, encoding: "utf8" });
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
  return { command, path: `${stub}${delimiter}${process.env.PATH}` };
}

const ms = (value) => `${value.toFixed(0).padStart(6)} ms`;

try {
  const scaffold = { command: process.execPath, args: [released()] };
  console.log(
    `${"".padEnd(28)} ${"median".padStart(9)} ${"node -e 0".padStart(9)} ${"more".padStart(9)}   ${"fastest".padStart(9)} ${"node -e 0".padStart(9)} ${"more".padStart(9)}   ${runs} pairs`,
  );
  const rows = [];
  const show = ({ name, a, b, more, fastest }) => {
    rows.push([name, ...[a, b, more, fastest.a, fastest.b, fastest.a - fastest.b].map(inTable)]);
    const least = [fastest.a, fastest.b, fastest.a - fastest.b].map(ms).join(" ");
    console.log(`${name.padEnd(28)} ${ms(a)} ${ms(b)} ${ms(more)}   ${least}`);
  };
  const ours = await measure("scaffold", scaffold, ({ both, ours: own = [] }) => [...both, ...own], {});
  ours.forEach(show);
  const peer = kubebuilder();
  if (peer === undefined) absent("kubebuilder is left out: it could not be built (no Go on PATH?)");
  else {
    const command = { command: peer.command, args: [] };
    const theirs = await measure("kubebuilder", command, ({ both, theirs: own }) => [...both, ...own], {
      PATH: peer.path,
    });
    theirs.forEach(show);
    const bars = ours.map(({ name, fastest }, index) => ({ name, ratio: fastest.a / theirs[index].fastest.a }));
    chart("Wall time at its fastest, ours / kubebuilder", bars);
  }
  const slow = ours
    .map(({ name, most, fastest }) => ({ name, most, more: fastest.a - fastest.b }))
    .filter(({ most, more }) => more > most);
  for (const { name, most, more } of slow) {
    const text = `${name} takes ${more.toFixed(0)} ms more than node -e 0: ${most} are allowed`;
    console.log(text);
    missed(text);
  }
  table(["", "median", "`node -e 0`", "more", "fastest", "`node -e 0`", "more"], rows);
  process.exitCode = slow.length > 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
