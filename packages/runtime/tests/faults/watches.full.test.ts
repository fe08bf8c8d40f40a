import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { eventually, Widget, widget, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { directClient, startOperator } from "./operator.ts";
import { inScene } from "./scene.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import type { Cut } from "./treatment.ts";

// KUBEWRIGHT_CUTS=120 runs the long version.
const count = Number(process.env.KUBEWRIGHT_CUTS ?? 15);

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

/** Starts an operator for one namespace that is connected through a proxy. */
async function withTcpProxy(namespace: string, play: (tcpProxy: TcpProxy) => Promise<void>): Promise<void> {
  const tcpProxy = await TcpProxy.start(environment.config);
  const operator = await startOperator(tcpProxy.config, { cache: { defaultNamespaces: { [namespace]: {} } } });
  try {
    await play(tcpProxy);
  } finally {
    await operator.stop();
    await tcpProxy.close();
  }
}

const reconciled = (namespace: string, name: string, milliseconds: number): Promise<void> =>
  eventually(async () => {
    const { spec, status } = await client.get(Widget, { namespace, name });
    expect(status?.color).toBe(spec.color);
  }, milliseconds);

describe("an operator whose watches end", () => {
  it.concurrent(
    `I5: misses no change and sends no list during ${count} cuts of its watches`,
    async () => {
      await inScene({ environment, client, namespace: "cut" }, async ({ proxy, operator, paint, reconciled }) => {
        proxy.requests.length = 0;
        const cuts: Cut[] = ["reset", "half-close", "end"];
        const watchCount = (): number => proxy.requests.filter(({ isWatch }) => isWatch).length;
        let change = 0;
        for (let cut = 0; cut < count; cut++) {
          const before = watchCount();
          proxy.cutWatches(cuts[cut % cuts.length]!);
          // Changes continue until both kinds are watched again.
          for (let changes = 0; changes < 10 || watchCount() < before + 2; changes++) {
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
        // There are two kinds. A cut needs more than one attempt only if the server was busy, but never many.
        expect(watches.length).toBeLessThan(2 * count * 20);
        // The test changes colors all the time, so that conflicts aren't caused by the cuts.
        const errors = operator.lines.filter(({ msg }) => msg === "Reconciler error");
        expect(errors.filter(({ error }) => !`${error}`.includes("the object has been modified"))).toEqual([]);
      });
    },
    600_000 + count * 10_000,
  );

  it.concurrent("closes silent connections, while new ones work", async () => {
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "silent" } });
    await withTcpProxy("silent", async (tcpProxy) => {
      await client.create(widget("before", "red", "silent"));
      await reconciled("silent", "before", 240_000);
      tcpProxy.state = "frozen";
      tcpProxy.state = "whole";
      await client.create(widget("during", "blue", "silent"));
      await reconciled("silent", "during", 600_000);
    });
  });

  it.concurrent("waits with a back-off if connections are accepted without a response, and continues afterwards", async () => {
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "mute" } });
    await withTcpProxy("mute", async (tcpProxy) => {
      await client.create(widget("before", "red", "mute"));
      await reconciled("mute", "before", 240_000);
      tcpProxy.state = "frozen";
      tcpProxy.cut();
      const before = tcpProxy.connections;
      await client.create(widget("during", "blue", "mute"));
      await sleep(16_000);
      expect(tcpProxy.connections - before).toBeLessThan(12);
      tcpProxy.state = "whole";
      // One check may still be waiting for its timeout of five seconds.
      await reconciled("mute", "during", 240_000);
    });
  });
});
