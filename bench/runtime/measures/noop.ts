// Measures reconciles without work: one that returns immediately, and the operator's own with up-to-date objects.
import { startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

const samples = 1000;

export async function noop({ operators, runs, scratch }: Options): Promise<Line[]> {
  return withServers(async (servers) => {
    await servers.createSamples(samples);
    const { kubeconfig } = servers;
    const all = await servers.watchAll(samples);
    const first = startOperator(operators[0], { kubeconfig, scratch });
    await first.during(all.done).finally(() => first.stop());

    const measure = (mode: string) =>
      inTurns(operators, runs, async (operator) => {
        const running = startOperator(operator, { kubeconfig, scratch, args: [`--mode=${mode}`] });
        try {
          const [perSecond = Number.NaN, perCpuSecond = Number.NaN] = await running.said("rate");
          return { perSecond, perCpuSecond };
        } finally {
          await running.stop();
        }
      });
    const bare = await measure("noop");
    const whole = await measure("unchanged");
    const count = { digits: 0 };
    const idle = "reconciles that find nothing to change";
    return [
      line("no-op reconciles a second", bare, "perSecond", { ...count, atLeast: 1, cost: "no-op reconcile: wall" }),
      line("no-op reconciles per CPU second", bare, "perCpuSecond", { ...count, cost: "no-op reconcile: CPU" }),
      line(`${idle}, a second`, whole, "perSecond", { ...count, cost: "reconcile without a change: wall" }),
      line(`${idle}, per CPU second`, whole, "perCpuSecond", { ...count, cost: "reconcile without a change: CPU" }),
    ];
  });
}
