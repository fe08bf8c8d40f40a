// Runs the simulations of a project. `scaffold simulate` starts it in the directory of the project, with the options as JSON.
import { UsageProblem } from "../old-versions/usage-problem.ts";
import { runSimulations, type SimulationOptions } from "./run-simulations.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as SimulationOptions;
const outcome = await runSimulations(options, (line) => process.stderr.write(`${line}\n`)).catch((error: unknown) => ({
  error: error instanceof Error ? error.message : String(error),
  ...(error instanceof UsageProblem ? { isUsage: true, hint: error.hint } : {}),
}));
// Timers and sockets that Vitest leaves open would keep the process alive.
process.send?.(outcome, () => process.exit());
