// Measures start-up and generate, each with its reference in the same run: `node bench/start-up.mjs [--runs N]`. Uses
// controller-gen v0.23.0 from CONTROLLER_GEN or PATH; without it, that row is omitted with a note.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pair, row } from "../scripts/lib/pair.mjs";
import { root } from "../scripts/lib/run.mjs";
import { absent, limit, ms, table, times } from "./lib/results.mjs";

const runsAt = process.argv.indexOf("--runs");
const runs = runsAt > 0 ? Number(process.argv[runsAt + 1]) : 15;
const scaffold = join(root, "bin/scaffold.js");
const node = process.execPath;
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const nothing = { command: node, args: ["-e", "0"], cwd: scratch };

function controllerGen() {
  if (process.env.CONTROLLER_GEN) return process.env.CONTROLLER_GEN;
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((place) => join(place, "controller-gen"))
    .find((path) => existsSync(path));
}

/** Creates the Game project as in the end-to-end test, without files that `generate` doesn't need. */
function gameProject() {
  const project = join(scratch, "game");
  for (const part of ["examples/game", "bench/testdata/game-ts"])
    cpSync(join(root, part), project, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  // The cache is in this directory.
  mkdirSync(join(project, "node_modules"));
  writeFileSync(join(project, "PROJECT"), 'version: "3"\n');
  return project;
}

const rows = [];
function show(a, b, result) {
  console.log(row(`${a} / ${b}`, result));
  const spread = `${times(result.min)}–${times(result.max)}`;
  rows.push([a, ms(result.a), b, ms(result.b), times(result.ratio), spread, ms(result.fastest.a - result.fastest.b)]);
}

/** Reports a limit. The fastest runs are compared, which other processes affect least. */
function keep(what, value, most) {
  if (!limit(what, value, most)) process.exitCode = 1;
}

try {
  console.log(`${"a / b".padEnd(48)} ${"a".padStart(9)} ${"b".padStart(9)}   ratio (min–max), ${runs} pairs`);
  for (const args of [["version"], ["--help"]]) {
    const result = await pair({ command: node, args: [scaffold, ...args], cwd: scratch }, nothing, runs);
    show(`scaffold ${args.join(" ")}`, "node -e 0", result);
    if (args[0] === "version") keep("scaffold version to node -e 0", result.fastest.a / result.fastest.b, 1.5);
  }
  const options = ["rbac:roleName=manager-role", "crd", "paths=./...", "output:crd:artifacts:config=config/crd/bases"];
  const ours = { command: node, args: [scaffold, "generate", ...options], cwd: gameProject() };
  const generator = controllerGen();
  if (generator) {
    const reference = join(scratch, "game-go");
    cpSync(join(root, "bench/testdata/game-go"), reference, { recursive: true });
    const theirs = { command: generator, args: options, cwd: reference };
    show("scaffold generate (Game)", "controller-gen", await pair(ours, theirs, runs));
  } else {
    absent("controller-gen is left out: there is none in CONTROLLER_GEN or on PATH");
  }
  const unchanged = await pair(ours, nothing, runs);
  show("scaffold generate (Game)", "node -e 0", unchanged);
  keep("generate, unchanged, ms beyond node -e 0", unchanged.fastest.a - unchanged.fastest.b, 60);
  const cache = join(ours.cwd, "node_modules/.cache");
  const forget = () => rmSync(cache, { recursive: true, force: true });
  const again = await pair(ours, { ...ours, before: forget }, Math.ceil(runs / 2));
  show("generate, unchanged", "first run", again);
  keep("generate, unchanged to first run", again.fastest.a / again.fastest.b, 0.3);
  table(["", "wall", "beside", "wall", "ratio", "lowest–highest", "more, both at their fastest"], rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
