import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Client, Stored } from "../../src/client/client.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { ConfigMap, eventually, Widget, widget, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { HttpProxy } from "./http-proxy.ts";
import { directClient } from "./operator.ts";
import { OperatorProcess, type OperatorState } from "./operator-process.ts";

// KUBEWRIGHT_OUTAGE_OBJECTS=10000 runs the long version.
const objects = Number(process.env.KUBEWRIGHT_OUTAGE_OBJECTS ?? 1000);
const maxWait = 60_000 + objects * 50;

const scratch = mkdtempSync(join(tmpdir(), "kubewright-outage-"));
const environment = new TestEnvironment({ crds: [widgetCRD] });
let client: Client;
let closeClient: () => Promise<void>;
let proxy: HttpProxy;
let operator: OperatorProcess;

beforeAll(async () => {
  const direct = directClient(await environment.start());
  client = direct.client;
  closeClient = direct.close;
  proxy = await HttpProxy.start({ upstream: environment.config });
  proxy.remembers = false;
  operator = new OperatorProcess(proxy.config.host, join(scratch, "operator.log"));
});

afterAll(async () => {
  await operator?.stop();
  await proxy?.close();
  await closeClient?.();
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const names = Array.from({ length: objects }, (_, index) => `widget-${index}`);

async function each<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
}

/** Returns the Widgets on the server, by name. */
async function widgets(): Promise<Map<string, Stored<Widget>>> {
  const { items } = await client.list(Widget, { namespace: "default" });
  return new Map(items.map((item) => [item.metadata.name, item]));
}

async function expectReconciled(color: (name: string) => string, expected: readonly string[]): Promise<void> {
  const current = await widgets();
  expectNone(expected.filter((name) => current.get(name)?.status?.color !== color(name)));
  const { items } = await client.list(ConfigMap, { namespace: "default" });
  const children = new Map(items.map((map) => [map.metadata.name, map.data?.color]));
  expectNone(expected.filter((name) => children.get(name) !== color(name)));
}

/** Throws an error if names are left. `toEqual([])` would print thousands of names in each attempt, and slow down the operator. */
function expectNone(left: readonly string[]): void {
  if (left.length > 0) throw new Error(`${left.length} objects are left, such as ${left.slice(0, 3).join(", ")}`);
}

/** Repeats a check until it succeeds, with pauses, because checks of that many objects would use all processor time. */
async function inTheEnd(check: () => Promise<void>): Promise<void> {
  await eventually(async () => {
    await sleep(objects / 4);
    await check();
  }, maxWait);
}

it(
  `an operator reconciles ${objects} objects that changed during an outage, and uses no more memory`,
  async () => {
    await each(names, (name) => client.create(widget(name, "red")));
    await inTheEnd(() => expectReconciled(() => "red", names));
    const before = await operator.state();

    proxy.fault = () => ({ refused: true });
    proxy.cutWatches("reset");
    const present = await widgets();
    const gone = names.filter((_, index) => index % 10 === 0);
    const kept = names.filter((_, index) => index % 10 !== 0);
    await each(kept, (name) => client.update({ ...present.get(name)!, spec: { color: `new-${name}` } }));
    await each(gone, (name) => client.delete(Widget, { namespace: "default", name }));
    proxy.fault = undefined;

    await inTheEnd(() => expectReconciled((name) => `new-${name}`, kept));
    await inTheEnd(async () => {
      const cached = new Set((await operator.state()).cached);
      expectNone(kept.filter((name) => !cached.has(name)));
      expect(cached.size).toBe(kept.length);
    });
    const after = await operator.state();
    const mebibytes = ({ heapUsed, rss }: OperatorState): string =>
      `heap ${(heapUsed / 2 ** 20).toFixed(1)} MiB, RSS ${(rss / 2 ** 20).toFixed(0)} MiB`;
    console.info(
      `${objects} objects: reconciles ${before.reconciles} before, ${after.reconciles - before.reconciles} after the outage;`,
      `${mebibytes(before)} before, ${mebibytes(after)} after`,
    );
    expect(after.unhandled).toBe(0);
    // At most three reconciles per object: one for the change, one for the child, and one for the status.
    expect(after.reconciles - before.reconciles).toBeLessThan(objects * 3.5);
    expect(after.heapUsed).toBeLessThan(before.heapUsed * 1.1 + 2 * 2 ** 20);
  },
  2 * maxWait,
);
