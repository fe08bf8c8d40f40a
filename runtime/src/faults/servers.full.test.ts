import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../client/client.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import { compactEtcd } from "./compact.ts";
import { directClient, type RunningOperator, startOperator } from "./operator.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** A server of its own, an operator on it behind a cable, and a client beside. */
function stage(environment: TestEnvironment) {
  const parts = {} as { cable: TcpProxy; operator: RunningOperator; client: Client };
  let closeClient: () => Promise<void>;
  beforeAll(async () => {
    const config = await environment.start();
    const direct = directClient(config);
    closeClient = direct.close;
    parts.client = direct.client;
    parts.cable = await TcpProxy.start(config);
    parts.operator = await startOperator(parts.cable.config, { controller: { maxConcurrentReconciles: 4 } });
  });
  afterAll(async () => {
    await parts.operator?.stop();
    await parts.cable?.close();
    await closeClient?.();
    await environment.stop();
  });
  return parts;
}

async function paint(client: Client, names: readonly string[], color: string): Promise<void> {
  for (const name of names) {
    const found = await client.get(Widget, { namespace: "default", name });
    await client.update({ ...found, spec: { color } });
  }
}

async function expectColors(client: Client, names: readonly string[], color: string): Promise<void> {
  const { items } = await client.list(Widget, { namespace: "default" });
  const colors = new Map(items.map(({ metadata, status }) => [metadata.name, status?.color]));
  expect(names.map((name) => colors.get(name))).toEqual(names.map(() => color));
}

const named = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
// Twenty times what a machine of its own needs.
const busy = 20_000;

describe("an operator whose servers are killed", { sequential: true }, () => {
  const environment = new TestEnvironment({ crds: [widgetCRD] });
  const on = stage(environment);

  it("kill -9 of the API server: goes on where it was, with what failed meanwhile too, as soon as the server is back", async () => {
    const { client, operator } = on;
    const names = named("api", 60);
    for (const name of names) await client.create(widget(name, "red"));
    await eventually(() => expectColors(client, names, "red"));
    // The server dies amidst the work: some reconciles fail, others never begin.
    const painting = paint(client, names, "blue").catch(() => {});
    await sleep(150);
    await environment.killApiServer();
    await painting;
    operator.lines.length = 0;
    // Long enough for a back-off to grow well beyond the bound below.
    await sleep(6000);
    const during = operator.lines.filter(({ msg }) => msg === "Reconciler error").length;
    await environment.startApiServer();
    const back = performance.now();
    const { items } = await client.list(Widget, { namespace: "default" });
    const changed = items.filter(({ spec }) => spec.color === "blue").map(({ metadata }) => metadata.name);
    await client.create(widget("api-new", "blue"));
    await eventually(() => expectColors(client, [...changed, "api-new"], "blue"), busy);
    const took = performance.now() - back;
    expect(changed.length).toBeGreaterThan(0);
    // Each worker fails a few times until a watch has noticed, and then waits.
    expect(during).toBeLessThan(40);
    expect(took).toBeLessThan(5000);
    await paint(client, names, "green");
    await eventually(() => expectColors(client, names, "green"), busy);
  });

  it("kill -9 of etcd: nothing is lost, and work goes on when it is back", async () => {
    const { client } = on;
    const names = named("etcd", 20);
    for (const name of names) await client.create(widget(name, "red"));
    await environment.killEtcd();
    await sleep(3000);
    await environment.startEtcd();
    await eventually(() => expectColors(client, names, "red"), busy);
    await paint(client, names, "blue");
    await eventually(() => expectColors(client, names, "blue"), busy);
  });

  it("survives both at once, with a cut cable on top", async () => {
    const { client, cable, operator } = on;
    const names = named("both", 10);
    for (const name of names) await client.create(widget(name, "red"));
    await Promise.all([environment.killApiServer(), environment.killEtcd()]);
    cable.state = "refusing";
    await environment.startEtcd();
    await environment.startApiServer();
    await paint(client, names, "blue");
    const connections = cable.connections;
    await sleep(3000);
    // One of the watches knocks for all, twice a second.
    expect(cable.connections - connections).toBeLessThan(12);
    cable.state = "whole";
    await eventually(() => expectColors(client, names, "blue"), busy);
    expect(operator.lines.filter(({ msg }) => msg === "Unhandled promise rejection")).toEqual([]);
  });

  it("connections that are half-closed by the other side are left and made anew", async () => {
    const { client, cable } = on;
    await client.create(widget("half", "red"));
    await eventually(() => expectColors(client, ["half"], "red"), busy);
    cable.halfClose();
    await paint(client, ["half"], "blue");
    await eventually(() => expectColors(client, ["half"], "blue"), busy);
  });
});

describe("an operator whose watches have expired", () => {
  // Without the watch cache each watch is etcd's own, which is all that a compaction touches.
  const environment = new TestEnvironment({ crds: [widgetCRD], apiServerFlags: { "watch-cache": "false" } });
  const on = stage(environment);

  it("I5, I7: after a compaction it lists again: no object is lost, and deletions of the gap are seen as such", async () => {
    const { client, cable, operator } = on;
    const names = named("kept", 20);
    for (const name of [...names, "gone", "replaced"]) await client.create(widget(name, "red"));
    await eventually(() => expectColors(client, [...names, "gone", "replaced"], "red"), busy);
    await sleep(500);
    cable.state = "refusing";
    operator.reconciler.reconciles.length = 0;
    operator.lines.length = 0;
    await paint(client, names.slice(0, 10), "blue");
    for (const name of ["gone", "replaced"]) await client.delete(Widget, { namespace: "default", name });
    await client.create(widget("replaced", "blue"));
    await client.create(widget("made", "blue"));
    await compactEtcd(environment.etcdUrl);
    cable.state = "whole";
    await eventually(() => expectColors(client, [...names.slice(0, 10), "replaced", "made"], "blue"), busy);
    await eventually(() => {
      const reasons = operator.reconciler.reconciles
        .filter(({ name }) => name === "gone")
        .flatMap(({ reasons }) => reasons);
      expect(reasons).toContain("delete Widget");
    }, busy);
    expect(operator.lines.some(({ msg, kind }) => msg === "Watch expired, listing again" && kind === "Widget")).toBe(
      true,
    );
    const reconciled = new Set(operator.reconciler.reconciles.map(({ name }) => name));
    for (const name of names.slice(10)) expect(reconciled).not.toContain(name);
    const { items } = await operator.manager.cache.list(Widget);
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([...names, "made", "replaced"].sort());
  });
});
