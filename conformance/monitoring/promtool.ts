import { join } from "node:path";
import { type Finished, must, run } from "../../scripts/lib/run.mjs";

const promtool = "github.com/prometheus/prometheus/cmd/promtool@v0.316.0";

/** Installs promtool in a directory. Needs Go. */
export async function installPromtool(directory: string): Promise<void> {
  await must("go", ["install", promtool], { cwd: directory, env: { GOBIN: directory } });
}

/** Runs the promtool of a directory. */
export function runPromtool(directory: string, args: string[], cwd: string): Promise<Finished> {
  return run(join(directory, "promtool"), args, { cwd });
}
