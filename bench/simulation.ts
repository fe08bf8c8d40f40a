// Measures the schedules of `scaffold simulate`, for the scaffolded operator and for the Game of the examples:
//   node --import tsx bench/simulation.ts [--seconds N]
// The command uses a process per core. The limits are those of two idle cores. The processor time, which contains the start of the
// command, depends less on what else runs. Needs a built checkout, and Linux. Exits 1 if a limit is exceeded.
import { readFileSync, rmSync } from "node:fs";
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
  const before = processorTime();
  try {
    const { code, stdout, stderr } = await attemptScaffold(project, "simulate", "--for", `${flags.seconds}s`, "--json");
    if (code !== 0) throw new Error(`${name}: scaffold simulate ended with ${code}\n${stdout}${stderr}`);
    const { schedules, seconds } = JSON.parse(stdout) as { schedules: number; seconds: number };
    const processor = `${((processorTime() - before) / schedules).toFixed(1)} ms`;
    console.log(`${name}, processor time per schedule: ${processor}`);
    rows.push([name, String(schedules), `${seconds} s`, (schedules / seconds).toFixed(0), processor]);
    limit(`${name}, ms per schedule`, (seconds * 1000) / schedules, most);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
table(["", "schedules", "time", "per second", "processor time per schedule"], rows);

/** Returns the processor time in milliseconds of the ended processes that this one and its children have started. */
function processorTime(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  // The kernel counts hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
