// Measures a cache of 20,000 objects that are unrelated to the operator's own.
import { setTimeout as sleep } from "node:timers/promises";
import { type Operator, startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

const samples = 1000;
const others = 20_000;
const settle = 10_000;

export async function large({ operators, runs, scratch }: Options): Promise<Line[]> {
  const results = await withServers(async (servers) => {
    await servers.createSamples(samples);
    await servers.createConfigMaps(others);
    let round = 0;

    // All operators do the same work: update 1,000 ConfigMaps and statuses.
    async function bringUpToDate(operator: Operator): Promise<{ peak: number; cpu: number }> {
      round++;
      await servers.changeAll(samples, `round-${round}`);
      const all = await servers.watchAll(samples);
      const running = startOperator(operator, { kubeconfig: servers.kubeconfig, scratch });
      try {
        await running.during(all.done);
        await sleep(settle);
        const { cpuSeconds, peakMiB } = running.usage();
        return { peak: peakMiB, cpu: cpuSeconds };
      } finally {
        await running.stop();
      }
    }

    // The first operator creates the ConfigMaps, so that those measured later find them.
    await bringUpToDate(operators.at(-1) ?? operators[0]);
    return inTurns(operators, runs, bringUpToDate);
  });
  return [
    line("20,000 more ConfigMaps cached: peak memory", results, "peak", { unit: "MiB", digits: 0, atMost: 1.2 }),
    line("20,000 more ConfigMaps cached: CPU of the start", results, "cpu", { unit: "s" }),
  ];
}
