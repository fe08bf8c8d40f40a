// Measures 50 changes per second: the time from sending a change until a watch reports the resulting status.
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../../lib/statistics.ts";
import { startOperator } from "../lib/operators.ts";
import type { Line } from "../lib/report.ts";
import { now, type Servers, sampleName, withServers } from "../lib/servers.ts";
import { inTurns, line } from "../lib/turns.ts";
import type { Options } from "./options.ts";

const samples = 500;
const interval = 20;
const changes = 1500;

export async function rate({ operators, runs, scratch }: Options): Promise<Line[]> {
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
        await sleep(3000);
        const before = running.usage().cpuSeconds;
        const latencies = await running.during(latenciesOf(servers, round));
        const cpu = running.usage().cpuSeconds - before;
        const at = (share: number): number => percentile(latencies, share);
        return { p50: at(0.5), p95: at(0.95), p99: at(0.99), cpu: (cpu * 1000) / changes };
      } finally {
        await running.stop();
      }
    });
  });
  const name = "50 changes a second";
  return [
    line(`${name}: p50 from change to status`, results, "p50", { unit: "ms", digits: 1 }),
    line(`${name}: p95`, results, "p95", { unit: "ms", digits: 1 }),
    line(`${name}: p99`, results, "p99", { unit: "ms", digits: 1, atMost: 1.2 }),
    line(`${name}: CPU a change`, results, "cpu", { unit: "ms" }),
  ];
}

/** Sends the changes. Resolves to the milliseconds until each one has a status. */
async function latenciesOf(servers: Servers, round: number): Promise<number[]> {
  /** Changes of each Sample without a matching status yet, in order. */
  const sent = new Map<string, { value: string; time: number }[]>();
  const latencies: number[] = [];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = await servers.watchStatus((name, value, time) => {
    const waiting = sent.get(name) ?? [];
    const at = waiting.findIndex((change) => change.value === value);
    // A status also covers earlier changes of its object, which a slow operator may skip.
    for (const change of waiting.splice(0, at + 1)) latencies.push(time - change.time);
    if (latencies.length === changes) finish();
  });
  const pending: Promise<void>[] = [];
  const begin = now();
  for (let change = 0; change < changes; change++) {
    await sleep(Math.max(0, begin + change * interval - now()));
    const index = change % samples;
    const value = `round-${round}-change-${change}`;
    const name = sampleName(index);
    sent.set(name, [...(sent.get(name) ?? []), { value, time: now() }]);
    pending.push(servers.change(index, value));
  }
  await Promise.all(pending);
  await finished;
  await stop();
  return latencies;
}
