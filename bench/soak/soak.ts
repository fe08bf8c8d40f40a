import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { reservePort } from "../../packages/runtime/src/envtest/host/ports.ts";
import { Widget, widgetCRD } from "../../packages/runtime/src/manager/widget.fixture.ts";
import { HttpProxy } from "../../packages/runtime/tests/faults/http-proxy.ts";
import { directClient } from "../../packages/runtime/tests/faults/operator.ts";
import { OperatorProcess } from "../../packages/runtime/tests/faults/operator-process.ts";
import { createRandom } from "../../scripts/test-support/random.ts";
import { Changes } from "./changes.ts";
import { Mishaps } from "./mishaps.ts";
import { Namespaces } from "./namespaces.ts";
import type { OperatorSettings, SoakState } from "./operator/protocol.ts";
import { undrained, unsettled, waitForNone } from "./settled.ts";
import type { Sample, SoakReport } from "./verdict.ts";
import { servedCertificate, webhookObjects } from "./webhook.ts";

export interface SoakOptions {
  minutes: number;
  seed: number;
  /**
   * Changes per second.
   *
   * @defaultValue 50
   */
  rate?: number;
  /**
   * Maximum number of objects.
   *
   * @defaultValue 200
   */
  objects?: number;
  /** Called with each sample. */
  onSample?: (sample: Sample) => void;
  /**
   * The directory for heap snapshots of the operator after the warm-up, at the end, and after all objects are deleted; none
   * are written by default.
   */
  snapshots?: string;
}

const minute = 60_000;
const settleTime = 3 * minute;

/** Runs an operator under steady changes and random faults, and reports the results. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { minutes, seed, rate = 50, objects = 200, onSample = () => {}, snapshots } = options;
  const log = join(mkdtempSync(join(tmpdir(), "kubewright-soak-")), "operator.log");
  // A restart may take longer on a busy machine.
  const environment = new TestEnvironment({ crds: [widgetCRD], controlPlaneStartTimeout: 120_000 });
  const config = await environment.start();
  const proxy = await HttpProxy.start({ upstream: config });
  proxy.remembers = false;
  const { client, close } = directClient(config);
  const webhook = await reservePort();
  for (const object of webhookObjects(webhook.port)) await client.create(object);
  const settings: OperatorSettings = {
    host: proxy.config.host,
    webhookPort: webhook.port,
    validFor: Math.min(6 * minute, (minutes * minute) / 2),
    term: Math.min(minute, (minutes * minute) / 6),
  };
  const program = new URL("operator/main.ts", import.meta.url);
  const operator = new OperatorProcess<SoakState>(JSON.stringify(settings), log, program);
  try {
    await waitForNone(async () => ((await operator.state()).isReady ? [] : ["not ready"]), minute);
    const { sizes: start } = await operator.state();
    const namespaces = new Namespaces(client);
    await namespaces.open(4);
    const end = new AbortController();
    const { signal } = end;
    const changes = new Changes({ client, namespaces, random: createRandom(seed, 0), rate, objects, signal });
    const mishaps = new Mishaps({ environment, proxy, random: createRandom(seed, 1), signal });
    const running = Promise.all([changes.run(), mishaps.run(), namespaces.run(minute, signal)]);
    const certificates = new Set<string | undefined>();
    const samples: Sample[] = [];
    const started = performance.now();
    const every = Math.min(30_000, (minutes * minute) / 20);
    for (let next = every; next <= minutes * minute; next += every) {
      await Promise.race([sleep(Math.max(0, started + next - performance.now())), running]);
      certificates.add(await servedCertificate(webhook.port));
      const { heapUsed, code, external, rss, reconciles, sizes, contradictions } = await operator.state();
      const lostReviews = [...changes.lostReviews.keys()];
      const counts = { reconciles, changes: changes.done, sizes, lostReviews, contradictions };
      const sample = { minute: next / minute, heapUsed, code, external, rss, ...counts };
      samples.push(sample);
      onSample(sample);
      const isWarm = samples.length === Math.ceil(Math.min(10 * minute, (minutes * minute) / 3) / every);
      if (snapshots && isWarm) await operator.snapshot(join(snapshots, "warm.heapsnapshot"));
    }
    if (snapshots) await operator.snapshot(join(snapshots, "end.heapsnapshot"));
    end.abort();
    await running;
    const calm = performance.now();
    const missed = await waitForNone(() => unsettled(client, operator), settleTime);
    const settledAfter = performance.now() - calm;
    await namespaces.close();
    await client.deleteAllOf(Widget, { namespace: "default" });
    const remaining = await waitForNone(async () => {
      const count = await namespaces.finalize();
      return count === 0 ? [] : [`${count} namespaces are not deleted`];
    }, settleTime);
    const drained = [...remaining, ...(await waitForNone(() => undrained(operator, start), settleTime))];
    const { unhandled, reviews, takeOvers, contradictions } = await operator.state();
    if (snapshots) await operator.snapshot(join(snapshots, "drained.heapsnapshot"));
    return {
      samples,
      mishaps: mishaps.counts,
      changes: changes.done,
      failedChanges: changes.failed,
      settledAfter,
      missed,
      drained,
      certificates: certificates.size,
      reviews,
      lostReviews: changes.lostReviews,
      takeOvers,
      namespaces: namespaces.retired,
      contradictions,
      unhandled,
      exitCode: await operator.stop(),
      log,
    };
  } finally {
    await operator.stop();
    await close();
    await proxy.close();
    webhook.release();
    await environment.stop();
  }
}
