// Measures the schedules of `scaffold simulate`, for the scaffolded operator and for the Game of the examples:
//   node bench/simulation.mjs [--seconds N]
// The command uses a process per core. The limits are those of two idle cores. Needs a built checkout. Exits 1 if a limit is
// exceeded.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { run } from "../scripts/lib/run.mjs";
import { gameProject, scaffold } from "./lib/game-project.mjs";
import { limit, table } from "./lib/results.mjs";

const { values: flags } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, json: { type: "string" } },
});

const rows = [];
/** Milliseconds for a schedule: 200 and 50 per second. */
const operators = [
  { name: "the scaffolded operator", examples: [], most: 5 },
  { name: "the Game", examples: ["game"], most: 20 },
];
for (const { name, examples, most } of operators) {
  const project = await gameProject(...examples);
  try {
    const args = [scaffold, "simulate", "--for", `${flags.seconds}s`, "--json"];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: project });
    if (code !== 0) throw new Error(`${name}: scaffold simulate ended with ${code}\n${stdout}${stderr}`);
    const { schedules, seconds } = JSON.parse(stdout);
    rows.push([name, String(schedules), `${seconds} s`, (schedules / seconds).toFixed(0)]);
    if (!limit(`${name}, ms per schedule`, (seconds * 1000) / schedules, most)) process.exitCode = 1;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
table(["", "schedules", "time", "per second"], rows);
