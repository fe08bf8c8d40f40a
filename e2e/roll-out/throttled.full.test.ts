// Limits an operator to a tenth of a processor from its start, with the scaffolded probes and lease.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { minute } from "../webhook-certs/cluster.ts";
import { type CpuLimit, limitCpu } from "./cpu-limit.ts";
import { Prober } from "./kubelet.ts";
import { startCalls, summaryOf } from "./load.ts";
import { Game, Operator, type Replica } from "./operator.ts";

const share = 0.1;
const games = Array.from({ length: 60 }, (_, index) => `game-${index}`);

const operator = new Operator({ busy: false });
const limits: CpuLimit[] = [];
const probers: Prober[] = [];
let throttled: Replica;
let liveness: Prober;
let readiness: Prober;

async function startThrottled(): Promise<Replica> {
  const replica = await operator.start("one");
  const began = performance.now();
  limits.push(limitCpu(replica.process.pid, share));
  liveness = new Prober(replica.health, operator.probe("livenessProbe"), began);
  readiness = new Prober(replica.health, operator.probe("readinessProbe"), began);
  probers.push(liveness, readiness);
  return replica;
}

beforeAll(() => operator.open());
afterAll(async () => {
  await Promise.all(probers.map((prober) => prober.stop()));
  for (const replica of operator.replicas) await replica.process.end("SIGKILL");
  for (const limit of limits) await limit.lift();
  await operator.close();
});

const reconciled = (version: string): Promise<void> =>
  eventually(async () => {
    const { items } = await operator.cluster.client.list(Game, { namespace: "default" });
    const left = items.filter(({ metadata }) => metadata.annotations?.version !== version);
    if (items.length < games.length || left.length > 0) throw new Error(`${left.length} of ${items.length} are left`);
  }, 2 * minute);

describe("an operator with a tenth of a processor", { sequential: true }, () => {
  it("becomes ready before its liveness probe fails", async () => {
    const began = performance.now();
    throttled = await startThrottled();
    await operator.enter(throttled);
    await eventually(() => expect(operator.holder).toBe(throttled.name), minute);
    console.info(`throttled by ${limits[0]?.by}: ready and leading after ${Math.round(performance.now() - began)} ms`);
    expect(liveness.hasFailed).toBe(false);
  });

  it("reconciles everything, serves reviews and conversions, and passes its probes", async () => {
    const { client } = operator.cluster;
    const began = performance.now();
    for (const name of games) await client.create(operator.game(name));
    await reconciled("one");
    const took = Math.round(performance.now() - began);
    const calls = startCalls(() => client.create(operator.game("asked"), { dryRun: true }), 10);
    await sleep(25_000);
    const measured = await calls.stop();
    const probed = `${liveness.sent + readiness.sent} probes, ${liveness.failed + readiness.failed} failed`;
    const slowest = Math.round(Math.max(liveness.slowest, readiness.slowest));
    console.info(
      `${games.length} objects in ${took} ms; ${summaryOf("reviews", measured)}; ${probed}, slowest ${slowest} ms`,
    );
    expect(measured.failed.slice(0, 3)).toEqual([]);
    expect(liveness.sent).toBeGreaterThan(0);
    expect([liveness.hasFailed, readiness.hasFailed]).toEqual([false, false]);
    await operator.cluster.answers();
  });

  it("keeps its lease while an unlimited standby waits for it, or ends cleanly", async () => {
    const standby = await operator.start("two");
    await operator.enter(standby);
    await sleep(20_000);
    if (throttled.process.running) {
      expect(operator.holder).toBe(throttled.name);
      expect(liveness.hasFailed).toBe(false);
      // Deletes it as a Pod. The standby then gets the lease.
      expect(await operator.delete(throttled, 1000), throttled.process.output).toBe(0);
    } else expect(throttled.process.output).toContain("leader election lost");
    await reconciled("two");
    expect(operator.holder).toBe(standby.name);
    const { strange, count } = operator.written();
    expect(strange).toEqual([]);
    expect(count).toBeGreaterThan(games.length);
  });
});
