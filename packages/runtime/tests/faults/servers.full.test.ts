import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { eventually, Widget, widget, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { compactEtcd } from "./compact.ts";
import { directClient, type RunningOperator, startOperator } from "./operator.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** Starts a server, an operator that is connected through a proxy, and a direct client. */
function setUp(environment: TestEnvironment) {
  const parts = {} as { tcpProxy: TcpProxy; operator: RunningOperator; client: Client };
  let closeClient: () => Promise<void>;
  beforeAll(async () => {
    const config = await environment.start();
    const direct = directClient(config);
    closeClient = direct.close;
    parts.client = direct.client;
    parts.tcpProxy = await TcpProxy.start(config);
    parts.operator = await startOperator(parts.tcpProxy.config, { controller: { maxConcurrentReconciles: 4 } });
  });
  afterAll(async () => {
    await parts.operator?.stop();
    await parts.tcpProxy?.close();
    await closeClient?.();
    await environment.stop();
  });
  return parts;
}

async function paint(client: Client, names: readonly string[], color: string): Promise<void> {
  for (const name of names) {
    const widget = await client.get(Widget, { namespace: "default", name });
    await client.update({ ...widget, spec: { color } });
  }
}

async function expectColors(client: Client, names: readonly string[], color: string): Promise<void> {
  const { items } = await client.list(Widget, { namespace: "default" });
  const colors = new Map(items.map(({ metadata, status }) => [metadata.name, status?.color]));
  expect(names.map((name) => colors.get(name))).toEqual(names.map(() => color));
}

const named = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
// Twenty times the duration on an idle machine.
const busy = 20_000;

describe("an operator whose servers are killed", { sequential: true }, () => {
  const environment = new TestEnvironment({ crds: [widgetCRD] });
  const on = setUp(environment);

  it("continues after kill -9 of the API server, and retries failed work as soon as possible", async () => {
    const { client, operator } = on;
    const names = named("api", 60);
    for (const name of names) await client.create(widget(name, "red"));
    await eventually(() => expectColors(client, names, "red"));
    // The server is killed during the work: some reconciles fail, and others don't start.
    const painting = paint(client, names, "blue").catch(() => {});
    await sleep(150);
    await environment.killApiServer();
    await painting;
    operator.lines.length = 0;
    await sleep(6000);
    const during = operator.lines.filter(({ msg }) => msg === "Reconciler error").length;
    await environment.startApiServer();
    const { items } = await client.list(Widget, { namespace: "default" });
    const changed = items.filter(({ spec }) => spec.color === "blue").map(({ metadata }) => metadata.name);
    await client.create(widget("api-new", "blue"));
    await eventually(() => expectColors(client, [...changed, "api-new"], "blue"), busy);
    expect(changed.length).toBeGreaterThan(0);
    // Each worker fails a few times until a watch has noticed the outage, and then waits.
    expect(during).toBeLessThan(40);
    await paint(client, names, "green");
    await eventually(() => expectColors(client, names, "green"), busy);
  });

  it("misses nothing after kill -9 of etcd, and continues when it is back", async () => {
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

  it("recovers after both are killed while its connections are refused", async () => {
    const { client, tcpProxy, operator } = on;
    const names = named("both", 10);
    for (const name of names) await client.create(widget(name, "red"));
    await Promise.all([environment.killApiServer(), environment.killEtcd()]);
    tcpProxy.state = "refusing";
    await environment.startEtcd();
    await environment.startApiServer();
    await paint(client, names, "blue");
    const connections = tcpProxy.connections;
    await sleep(3000);
    // One watch checks the connection for all of them, twice per second.
    expect(tcpProxy.connections - connections).toBeLessThan(12);
    tcpProxy.state = "whole";
    await eventually(() => expectColors(client, names, "blue"), busy);
    expect(operator.lines.filter(({ msg }) => msg === "Unhandled promise rejection")).toEqual([]);
  });

  it("replaces connections that the other side has half-closed", async () => {
    const { client, tcpProxy } = on;
    await client.create(widget("half", "red"));
    await eventually(() => expectColors(client, ["half"], "red"), busy);
    tcpProxy.halfClose();
    await paint(client, ["half"], "blue");
    await eventually(() => expectColors(client, ["half"], "blue"), busy);
  });
});

describe("an operator whose watches have expired", () => {
  // Without the watch cache, each watch reads from etcd, and only such watches are affected by a compaction.
  const environment = new TestEnvironment({ crds: [widgetCRD], apiServerFlags: { "watch-cache": "false" } });
  const on = setUp(environment);

  it("I5, I7: lists again after a compaction, misses no object, and reports deletions as deletions", async () => {
    const { client, tcpProxy, operator } = on;
    const names = named("kept", 20);
    for (const name of [...names, "gone", "replaced"]) await client.create(widget(name, "red"));
    await eventually(() => expectColors(client, [...names, "gone", "replaced"], "red"), busy);
    await sleep(500);
    tcpProxy.state = "refusing";
    operator.reconciler.reconciles.length = 0;
    operator.lines.length = 0;
    await paint(client, names.slice(0, 10), "blue");
    for (const name of ["gone", "replaced"]) await client.delete(Widget, { namespace: "default", name });
    await client.create(widget("replaced", "blue"));
    await client.create(widget("made", "blue"));
    await compactEtcd(environment.etcdUrl);
    tcpProxy.state = "whole";
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
