// Measures the CPU time of an idle operator with open watches and 1,000 reconciled objects.
import { setTimeout as sleep } from "node:timers/promises";
import { startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

const samples = 1000;
// About ten seconds after the last work, V8 collects the garbage of the start, once.
const settle = 30_000;
const duration = 60_000;

export async function idle({ operators, scratch }: Options): Promise<Line[]> {
  const results = await withServers(async (servers) => {
    await servers.createSamples(samples);
    const all = await servers.watchAll(samples);
    const first = startOperator(operators[0], { kubeconfig: servers.kubeconfig, scratch });
    await first.during(all.done).finally(() => first.stop());
    return inTurns(operators, 1, async (operator) => {
      const running = startOperator(operator, { kubeconfig: servers.kubeconfig, scratch });
      try {
        await running.said("first");
        await sleep(settle);
        const before = running.threadSeconds();
        await running.during(sleep(duration));
        return { share: ((running.threadSeconds() - before) * 100_000) / duration };
      } finally {
        await running.stop();
      }
    });
  });
  return [line("idle CPU over 60 s", results, "share", { unit: "%", digits: 3, atMost: 0.1, absolute: true })];
}
