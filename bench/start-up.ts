// Measures start-up and generate, each with its reference in the same run:
//   node --import tsx bench/start-up.ts [--runs N]
// Uses controller-gen v0.23.0 from CONTROLLER_GEN or PATH; without it, that row is omitted with a note.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { scaffoldBin } from "../scripts/test-support/scaffold.ts";
import { findControllerGen } from "./lib/controller-gen.ts";
import { type PairTimes, pair } from "./lib/pair.ts";
import { absent, limit, ms, table, times } from "./lib/results.ts";

const { values: flags } = parseArgs({
  options: { runs: { type: "string", default: "15" }, json: { type: "string" } },
});
const runs = Number(flags.runs);
const node = process.execPath;
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const nothing = { command: node, args: ["-e", "0"], cwd: scratch };

/** Creates the Game project as in the end-to-end test, without files that `generate` doesn't need. */
function gameProject(): string {
  const project = join(scratch, "game");
  for (const part of ["examples/game", "bench/testdata/game-ts"])
    cpSync(join(root, part), project, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  // The cache is in this directory.
  mkdirSync(join(project, "node_modules"));
  writeFileSync(join(project, "PROJECT"), 'version: "3"\n');
  return project;
}

const rows: string[][] = [];
function show(a: string, b: string, result: PairTimes): void {
  const wall = (value: number): string => `${value.toFixed(0).padStart(6)} ms`;
  const ratio = `×${times(result.ratio)} (${times(result.min)}–${times(result.max)})`;
  console.log(`${`${a} / ${b}`.padEnd(48)} ${wall(result.a)} ${wall(result.b)}   ${ratio}`);
  const spread = `${times(result.min)}–${times(result.max)}`;
  rows.push([a, ms(result.a), b, ms(result.b), times(result.ratio), spread, ms(result.fastest.a - result.fastest.b)]);
}

// The limits compare the fastest runs, which other processes affect least.
try {
  console.log(`${"a / b".padEnd(48)} ${"a".padStart(9)} ${"b".padStart(9)}   ratio (min–max), ${runs} pairs`);
  for (const args of [["version"], ["--help"]]) {
    const result = await pair({ command: node, args: [scaffoldBin, ...args], cwd: scratch }, nothing, runs);
    show(`scaffold ${args.join(" ")}`, "node -e 0", result);
    if (args[0] === "version") limit("scaffold version to node -e 0", result.fastest.a / result.fastest.b, 1.5);
  }
  const options = ["rbac:roleName=manager-role", "crd", "paths=./...", "output:crd:artifacts:config=config/crd/bases"];
  const ours = { command: node, args: [scaffoldBin, "generate", ...options], cwd: gameProject() };
  const generator = findControllerGen();
  if (generator) {
    const reference = join(scratch, "game-go");
    cpSync(join(root, "bench/testdata/game-go"), reference, { recursive: true });
    const theirs = { command: generator, args: options, cwd: reference };
    show("scaffold generate (Game)", "controller-gen", await pair(ours, theirs, runs));
  } else {
    absent("controller-gen is left out: neither CONTROLLER_GEN nor PATH has it");
  }
  const unchanged = await pair(ours, nothing, runs);
  show("scaffold generate (Game)", "node -e 0", unchanged);
  limit("generate, unchanged, ms beyond node -e 0", unchanged.fastest.a - unchanged.fastest.b, 60);
  const cache = join(ours.cwd, "node_modules/.cache");
  const forget = (): void => rmSync(cache, { recursive: true, force: true });
  const again = await pair(ours, { ...ours, before: forget }, Math.ceil(runs / 2));
  show("generate, unchanged", "first run", again);
  limit("generate, unchanged to first run", again.fastest.a / again.fastest.b, 0.3);
  table(["", "wall", "beside", "wall", "ratio", "lowest–highest", "more, both at their fastest"], rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
