// Measures recovery from kill -9 of the API server: the time from its next readiness until a new change appears in a status.
import { setTimeout as sleep } from "node:timers/promises";
import { startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { now, withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

const samples = 100;
const pause = 10;

export async function restart({ operators, runs, scratch }: Options): Promise<Line[]> {
  const results = await withServers(async (servers) => {
    await servers.createSamples(samples);
    let round = 0;
    return inTurns(operators, runs, async (operator) => {
      round++;
      await servers.changeAll(samples, `round-${round}`);
      const all = await servers.watchAll(samples);
      const running = startOperator(operator, { kubeconfig: servers.kubeconfig, scratch });
      try {
        await running.during(all.done);
        await sleep(2000);
        await servers.environment.killApiServer();
        await sleep(2000);
        const started = servers.environment.startApiServer();
        await until(() => servers.ready());
        const readyAt = now();
        const value = `round-${round}-after`;
        await until(() =>
          servers.change(0, value).then(
            () => true,
            () => false,
          ),
        );
        const changedAt = now();
        await running.during(until(async () => (await servers.sample(0).catch(() => {}))?.status?.value === value));
        const handledAt = now();
        await started;
        return { ready: (handledAt - readyAt) / 1000, writable: (changedAt - readyAt) / 1000 };
      } finally {
        await running.stop();
      }
    });
  });
  const name = "API server killed and restarted";
  return [
    line(`${name}: until a change is handled`, results, "ready", { unit: "s", atMost: 1, absolute: true }),
    line(`${name}: until the server takes a change`, results, "writable", { unit: "s" }),
  ];
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(pause);
}
