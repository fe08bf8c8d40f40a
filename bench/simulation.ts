// Measures the schedules of `scaffold simulate`, for the scaffolded operator and for the Game of the examples:
//   node --import tsx bench/simulation.ts [--seconds N]
// The command uses a process per core. The limits are those of two idle cores. Needs a built checkout. Exits 1 if a limit is
// exceeded.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { attemptScaffold } from "../scripts/test-support/scaffold.ts";
import { gameProject } from "./lib/game-project.ts";
import { limit, table } from "./lib/results.ts";

const { values: flags } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, json: { type: "string" } },
});

const rows: string[][] = [];
/** Milliseconds for a schedule: 200 and 50 per second. */
const operators = [
  { name: "the scaffolded operator", examples: [], most: 5 },
  { name: "the Game", examples: ["game"], most: 20 },
];
for (const { name, examples, most } of operators) {
  const project = await gameProject(...examples);
  try {
    const { code, stdout, stderr } = await attemptScaffold(project, "simulate", "--for", `${flags.seconds}s`, "--json");
    if (code !== 0) throw new Error(`${name}: scaffold simulate ended with ${code}\n${stdout}${stderr}`);
    const { schedules, seconds } = JSON.parse(stdout) as { schedules: number; seconds: number };
    rows.push([name, String(schedules), `${seconds} s`, (schedules / seconds).toFixed(0)]);
    limit(`${name}, ms per schedule`, (seconds * 1000) / schedules, most);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
table(["", "schedules", "time", "per second"], rows);
