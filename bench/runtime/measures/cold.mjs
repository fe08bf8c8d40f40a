// Measures the cold start: an operator starts with objects that were never reconciled. Each run has new servers.

import { startOperator } from "../lib/operators.mjs";
import { withServers } from "../lib/servers.mjs";
import { inTurns, line, sleep } from "../lib/turns.mjs";

// Wait for the events after the last status, which are handled later.
const settle = 3000;

async function coldStart(operator, count, { scratch }) {
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

export async function cold({ operators, runs, scratch }) {
  const lines = [];
  for (const [count, cpuLimit, memoryLimit] of [
    [1000, 1.3, 1.6],
    [5000, 1, 1.3],
  ]) {
    const results = await inTurns(operators, runs, (operator) => coldStart(operator, count, { scratch }));
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
