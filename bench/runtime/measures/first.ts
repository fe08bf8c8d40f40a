// Measures the time from the start of the process to the first reconcile.
import { setTimeout as sleep } from "node:timers/promises";
import { startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

export async function first({ operators, runs, scratch }: Options): Promise<Line[]> {
  const results = await withServers(async (servers) => {
    await servers.createSamples(1);
    return inTurns(operators, 3 * runs, async (operator) => {
      const running = startOperator(operator, { kubeconfig: servers.kubeconfig, scratch });
      try {
        const [at = Number.NaN] = await running.said("first");
        return { first: at - running.startedAt };
      } finally {
        await running.stop();
        await sleep(200);
      }
    });
  });
  return [line("first reconcile after the start", results, "first", { unit: "ms", digits: 0, atMost: 1 })];
}
