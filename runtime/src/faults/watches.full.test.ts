import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../client/client.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import { directClient, startOperator } from "./operator.ts";
import { inScene } from "./scene.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import type { Cut } from "./treatment.ts";

// KUBEWRIGHT_CUT_SECONDS=120 is the long form.
const seconds = Number(process.env.KUBEWRIGHT_CUT_SECONDS ?? 15);

const environment = new TestEnvironment({ crds: [widgetCRD] });
let client: Client;
let closeClient: () => Promise<void>;

beforeAll(async () => {
  const direct = directClient(await environment.start());
  client = direct.client;
  closeClient = direct.close;
});

afterAll(async () => {
  await closeClient();
  await environment.stop();
});

/** An operator behind a cable, for one namespace. */
async function onCable(namespace: string, play: (cable: TcpProxy) => Promise<void>): Promise<void> {
  const cable = await TcpProxy.start(environment.config);
  const operator = await startOperator(cable.config, { cache: { defaultNamespaces: { [namespace]: {} } } });
  try {
    await play(cable);
  } finally {
    await operator.stop();
    await cable.close();
  }
}

const reconciled = (namespace: string, name: string, milliseconds: number): Promise<void> =>
  eventually(async () => {
    const { spec, status } = await client.get(Widget, { namespace, name });
    expect(status?.color).toBe(spec.color);
  }, milliseconds);

describe("watches that don't last", () => {
  it.concurrent(
    `I5: cut every second for ${seconds} s: goes on from the last version, lists never, loses nothing`,
    async () => {
      await inScene({ environment, client, namespace: "cut" }, async ({ proxy, operator, paint, reconciled }) => {
        proxy.requests.length = 0;
        const cuts: Cut[] = ["reset", "half-close", "end"];
        const started = performance.now();
        let change = 0;
        for (let second = 0; second < seconds; second++) {
          proxy.cutWatches(cuts[second % cuts.length]!);
          while (performance.now() - started < (second + 1) * 1000) {
            await paint(`cut-${change % 20}`, `color-${change}`);
            change++;
            await sleep(50);
          }
        }
        for (let index = Math.max(0, change - 20); index < change; index++) {
          await reconciled(`cut-${index % 20}`, `color-${index}`);
        }
        const watches = proxy.requests.filter(({ isWatch }) => isWatch);
        expect(watches.filter(({ path }) => path.includes("sendInitialEvents"))).toEqual([]);
        expect(proxy.requests.filter(({ path }) => /\/(widgets|configmaps)\?(?!watch)/.test(path))).toEqual([]);
        // Two kinds, and more than one attempt for each cut only where the server had no time.
        expect(watches.length).toBeGreaterThanOrEqual(2 * (seconds - 2));
        expect(watches.length).toBeLessThan(2 * seconds * 3);
        // Somebody paints all the time: a conflict is no matter of the cuts.
        const errors = operator.lines.filter(({ msg }) => msg === "Reconciler error");
        expect(errors.filter(({ error }) => !`${error}`.includes("the object has been modified"))).toEqual([]);
      });
    },
    (seconds + 60) * 1000,
  );

  it.concurrent("connections that fall silent are left within 75 s, while new ones work", async () => {
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "silent" } });
    await onCable("silent", async (cable) => {
      await client.create(widget("before", "red", "silent"));
      await reconciled("silent", "before", 20_000);
      cable.state = "frozen";
      const started = performance.now();
      cable.state = "whole";
      await client.create(widget("during", "blue", "silent"));
      await reconciled("silent", "during", 90_000);
      expect(performance.now() - started).toBeLessThan(80_000);
    });
  }, 150_000);

  it.concurrent("connections that are taken and never answered are waited for without haste, and end when the server is back", async () => {
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "mute" } });
    await onCable("mute", async (cable) => {
      await client.create(widget("before", "red", "mute"));
      await reconciled("mute", "before", 20_000);
      cable.state = "frozen";
      cable.cut();
      const before = cable.connections;
      await client.create(widget("during", "blue", "mute"));
      await sleep(16_000);
      expect(cable.connections - before).toBeLessThan(12);
      cable.state = "whole";
      // One probe may still be waiting for its five seconds.
      await reconciled("mute", "during", 15_000);
    });
  }, 90_000);
});
