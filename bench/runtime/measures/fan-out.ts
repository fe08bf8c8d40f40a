// Measures reconciles of 5,000 up-to-date objects that one event of a watched Secret causes.
import { startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

const samples = 5000;

export async function fanOut({ operators, runs, scratch }: Options): Promise<Line[]> {
  return withServers(async (servers) => {
    await servers.createSamples(samples);
    const { kubeconfig } = servers;
    const all = await servers.watchAll(samples);
    const first = startOperator(operators[0], { kubeconfig, scratch });
    await first.during(all.done).finally(() => first.stop());

    const results = await inTurns(operators, runs, async (operator) => {
      const running = startOperator(operator, { kubeconfig, scratch, args: ["--mode=fan-out"] });
      try {
        const [perSecond = Number.NaN, perCpuSecond = Number.NaN] = await running.said("rate");
        return { perSecond, perCpuSecond };
      } finally {
        await running.stop();
      }
    });
    const what = "5,000 objects reconciled without a change after one event";
    const options = { digits: 0, atLeast: 1 };
    return [
      line(`${what}, reconciles a second`, results, "perSecond", {
        ...options,
        cost: "one event for 5,000 objects: wall",
      }),
      line(`${what}, per CPU second`, results, "perCpuSecond", {
        ...options,
        cost: "one event for 5,000 objects: CPU",
      }),
    ];
  });
}
