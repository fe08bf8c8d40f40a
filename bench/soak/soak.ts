import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../hack/differential-fuzz/random.ts";
import type { Client } from "../../runtime/src/client/index.ts";
import { TestEnvironment } from "../../runtime/src/envtest/index.ts";
import { HttpProxy } from "../../runtime/src/faults/http-proxy.ts";
import { directClient } from "../../runtime/src/faults/operator.ts";
import { OperatorProcess } from "../../runtime/src/faults/operator-process.ts";
import { ConfigMap, Widget, widgetCRD } from "../../runtime/src/manager/widget.fixture.ts";
import { Changes } from "./changes.ts";
import { Mishaps } from "./mishaps.ts";

export interface SoakOptions {
  minutes: number;
  seed: number;
  /** Changes a second. */
  rate?: number;
  /** How many objects there may be. */
  objects?: number;
  /** Told of each sample. */
  onSample?: (sample: Sample) => void;
}

export interface Sample {
  /** Since the start. */
  minute: number;
  /** Bytes, after a garbage collection. */
  heapUsed: number;
  external: number;
  rss: number;
  reconciles: number;
  changes: number;
}

export interface SoakReport {
  samples: readonly Sample[];
  mishaps: ReadonlyMap<string, number>;
  changes: number;
  failedChanges: number;
  /** Milliseconds after the last fault until all was reconciled. */
  settledAfter: number;
  /** What was wrong at the end: each a missed object. */
  missed: readonly string[];
  unhandled: number;
  exitCode: number | null;
  /** File with what the operator logged. */
  log: string;
}

const settleTime = 120_000;

/** Lets an operator run under steady changes and random faults, and tells how it came through. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { minutes, seed, rate = 50, objects = 500, onSample = () => {} } = options;
  const log = join(mkdtempSync(join(tmpdir(), "kubewright-soak-")), "operator.log");
  // A restart may take its time on a machine that has other things to do.
  const environment = new TestEnvironment({ crds: [widgetCRD], controlPlaneStartTimeout: 120_000 });
  const config = await environment.start();
  const proxy = await HttpProxy.start({ upstream: config });
  proxy.remembers = false;
  const direct = directClient(config);
  const operator = new OperatorProcess(proxy.config.host, log);
  try {
    const end = new AbortController();
    const changes = new Changes({
      client: direct.client,
      random: createRandom(seed, 0),
      rate,
      objects,
      signal: end.signal,
    });
    const mishaps = new Mishaps({ environment, proxy, random: createRandom(seed, 1), signal: end.signal });
    const running = Promise.all([changes.run(), mishaps.run()]);
    const samples: Sample[] = [];
    const started = performance.now();
    const every = Math.min(30, (minutes * 60) / 12) * 1000;
    for (let next = every; next <= minutes * 60_000; next += every) {
      await Promise.race([sleep(Math.max(0, started + next - performance.now())), running]);
      const { heapUsed, external, rss, reconciles } = await operator.state();
      const sample = { minute: next / 60_000, heapUsed, external, rss, reconciles, changes: changes.done };
      samples.push(sample);
      onSample(sample);
    }
    end.abort();
    await running;
    const calm = performance.now();
    let missed = await unsettled(direct.client, operator);
    while (missed.length > 0 && performance.now() - calm < settleTime) {
      await sleep(200);
      missed = await unsettled(direct.client, operator);
    }
    const settledAfter = performance.now() - calm;
    const { unhandled } = await operator.state();
    return {
      samples,
      mishaps: mishaps.counts,
      changes: changes.done,
      failedChanges: changes.failed,
      settledAfter,
      missed,
      unhandled,
      exitCode: await operator.stop(),
      log,
    };
  } finally {
    await operator.stop();
    await direct.close();
    await proxy.close();
    await environment.stop();
  }
}

/** Compares the server with what the operator made of it, and with its cache. */
async function unsettled(client: Client, operator: OperatorProcess): Promise<string[]> {
  const { items: widgets } = await client.list(Widget, { namespace: "default" });
  const { items: maps } = await client.list(ConfigMap, { namespace: "default" });
  const { cached } = await operator.state();
  const colors = new Map(maps.map((map) => [map.metadata.name, map.data?.color]));
  const there = new Set(widgets.map(({ metadata }) => metadata.name));
  const known = new Set(cached);
  return [
    ...widgets.flatMap(({ metadata: { name }, spec, status }) => {
      const wrong: string[] = [];
      if (status?.color !== spec.color) wrong.push(`status of ${name} is ${status?.color}, not ${spec.color}`);
      if (colors.get(name) !== spec.color) wrong.push(`child of ${name} is ${colors.get(name)}, not ${spec.color}`);
      if (!known.has(name)) wrong.push(`${name} is not in the cache`);
      return wrong;
    }),
    ...cached.filter((name) => !there.has(name)).map((name) => `${name} is in the cache, and gone`),
  ];
}

/** How much the heap grew from the minutes after warming up to the last ones; 0.1 is ten percent. */
export function heapGrowth(samples: readonly Sample[], warmUpMinutes: number): number {
  const after = samples.filter(({ minute }) => minute >= warmUpMinutes);
  const part = Math.max(1, Math.floor(after.length / 5));
  const mean = (some: readonly Sample[]): number => some.reduce((sum, { heapUsed }) => sum + heapUsed, 0) / some.length;
  return mean(after.slice(-part)) / mean(after.slice(0, part)) - 1;
}
