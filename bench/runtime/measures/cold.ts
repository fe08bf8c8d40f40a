// Measures the cold start: an operator starts with objects that were never reconciled. Each run has new servers.
import { setTimeout as sleep } from "node:timers/promises";
import { type Operator, startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

// Wait for the events after the last status, which are handled later.
const settle = 3000;

async function coldStart(
  operator: Operator,
  count: number,
  scratch: string,
): Promise<{ wall: number; cpu: number; writes: number; peak: number }> {
  return withServers(async (servers) => {
    await servers.createSamples(count);
    await sleep(settle);
    const before = await servers.writes();
    const all = await servers.watchAll(count);
    const running = startOperator(operator, { kubeconfig: servers.kubeconfig, scratch });
    try {
      const doneAt = await running.during(all.done);
      await sleep(settle);
      const { cpuSeconds, peakMiB } = running.usage();
      const writes = (await servers.writes()) - before;
      return { wall: (doneAt - running.startedAt) / 1000, cpu: cpuSeconds, writes: writes / count, peak: peakMiB };
    } finally {
      await running.stop();
    }
  });
}

export async function cold({ operators, runs, scratch }: Options): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [count, cpuLimit, memoryLimit] of [
    [1000, 1.3, 1.6],
    [5000, 1, 1.3],
  ] as const) {
    const results = await inTurns(operators, runs, (operator) => coldStart(operator, count, scratch));
    const name = `cold start, ${count.toLocaleString("en")} objects`;
    lines.push(
      line(`${name}: wall`, results, "wall", { unit: "s", atMost: 1 }),
      line(`${name}: CPU`, results, "cpu", { unit: "s", atMost: cpuLimit }),
      line(`${name}: writes per object`, results, "writes", { atMost: 2, absolute: true }),
      line(`${name}: peak memory`, results, "peak", { unit: "MiB", digits: 0, atMost: memoryLimit }),
    );
  }
  return lines;
}
