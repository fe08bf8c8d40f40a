// A cache of 20,000 objects that have nothing to do with the operator's own.
import { startOperator } from "../lib/operators.mjs";
import { withServers } from "../lib/servers.mjs";
import { inTurns, line, sleep } from "../lib/turns.mjs";

const samples = 1000;
const others = 20_000;
const settle = 10_000;

export async function large({ operators, runs, scratch }) {
  const results = await withServers(async (servers) => {
    await servers.createSamples(samples);
    await servers.createConfigMaps(others);
    let round = 0;

    // Each has the same to do: 1,000 ConfigMaps and statuses to bring up to date.
    async function bringUpToDate(operator) {
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

    // The first makes the ConfigMaps; those after it find them.
    await bringUpToDate(operators.at(-1));
    return inTurns(operators, runs, bringUpToDate);
  });
  return [
    line("20,000 more ConfigMaps cached: peak memory", results, "peak", { unit: "MiB", digits: 0, atMost: 1.2 }),
    line("20,000 more ConfigMaps cached: CPU of the start", results, "cpu", { unit: "s" }),
  ];
}
