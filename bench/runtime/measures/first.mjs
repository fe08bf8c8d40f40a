// Measures the time from the start of the process to the first reconcile.
import { startOperator } from "../lib/operators.mjs";
import { withServers } from "../lib/servers.mjs";
import { inTurns, line, sleep } from "../lib/turns.mjs";

export async function first({ operators, runs, scratch }) {
  const results = await withServers(async (servers) => {
    await servers.createSamples(1);
    return inTurns(operators, 3 * runs, async (operator) => {
      const running = startOperator(operator, { kubeconfig: servers.kubeconfig, scratch });
      try {
        const [at] = await running.said("first");
        return { first: at - running.startedAt };
      } finally {
        await running.stop();
        await sleep(200);
      }
    });
  });
  return [line("first reconcile after the start", results, "first", { unit: "ms", digits: 0, atMost: 1 })];
}
