// Runs the simulations of a project. `scaffold simulate` starts it in the directory of the project, with the options as JSON.
import process from "node:process";
import { UsageProblem } from "../old-versions/usage-problem.ts";
import type { BuiltManifests } from "./manifest-findings.ts";
import { runSimulations, type SimulationOptions } from "./run-simulations.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as SimulationOptions;
const waiting: ((built: BuiltManifests) => void)[] = [];
process.on("message", (message) => waiting.shift()?.(message as BuiltManifests));

/** Lets the command build the manifests in a directory. */
function build(directory: string): Promise<BuiltManifests> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    process.send?.({ build: directory });
  });
}

const print = (line: string): void => void process.stderr.write(`${line}\n`);
const outcome = await runSimulations(options, print, build).catch((error: unknown) => ({
  error: error instanceof Error ? error.message : String(error),
  ...(error instanceof UsageProblem ? { isUsage: true, hint: error.hint } : {}),
}));
// Timers and sockets that Vitest leaves open would keep the process alive.
process.send?.(outcome, () => process.exit());
