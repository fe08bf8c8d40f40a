import { createUnitTestServer } from "@kubewright/apiserver";
import { afterEach, expect, it } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createLiveClient } from "../client/live-client.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { isNotFound } from "../errors/predicates.ts";
import { isTransportError } from "../errors/transport-error.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import type { Transport } from "../transport/transport.ts";
import { Widget, widgetCrd } from "./client-behaviour.fixture.ts";
import { eventually } from "./eventually.ts";
import { fakeClient } from "./fake-client.ts";
import { inProcessTransport } from "./in-process-transport.ts";

const opened: Transport[] = [];
afterEach(async () => {
  for (const transport of opened.splice(0)) await transport.close();
});

function transportTo(crds: readonly object[] = [widgetCrd]): Transport {
  const server = createUnitTestServer({ crds: crds as never, objects: [], indexes: [], statusSubresource: [] });
  const transport = inProcessTransport(async () => (await server).handle);
  opened.push(transport);
  return transport;
}

const widget = { apiVersion: Widget.apiVersion, kind: Widget.kind, metadata: { name: "a", namespace: "default" } };

it("the in-process transport supports the caches, watches, reconciles and status writes of a manager", async () => {
  const transport = transportTo();
  const mgr = await Manager.create(
    { host: "http://in-process" },
    { transport, logger: silentLogger, metrics: { bindAddress: "0" } },
  );
  await newControllerManagedBy(mgr)
    .for(Widget)
    .complete({
      async reconcile(_ctx, key) {
        const stored = await mgr.client.get(Widget, key);
        await mgr.client.status.update({ ...stored, status: { phase: `replicas ${stored.spec?.replicas ?? 0}` } });
        return {};
      },
    });
  const stop = new AbortController();
  const running = mgr.start(stop.signal);
  try {
    const created = await mgr.client.create({ ...widget, spec: { replicas: 1 } } as Widget);
    const phase = async (): Promise<string | undefined> =>
      (await mgr.apiReader.get(Widget, { namespace: "default", name: "a" })).status?.phase;
    await eventually(async () => expect(await phase()).toBe("replicas 1"));
    await mgr.client.patch(created, { type: "application/merge-patch+json", data: () => ({ spec: { replicas: 2 } }) });
    await eventually(async () => expect(await phase()).toBe("replicas 2"));
  } finally {
    stop.abort();
    await running;
  }
});

it("the in-process transport rejects with the server's status, or with the text of other responses", async () => {
  const transport = transportTo();
  const get = (path: string) => transport.request({ method: "GET", path });
  const missing = await get("/api/v1/namespaces/a/pods/b").catch((error: unknown) => error);
  expect(missing).toSatisfy(isNotFound);
  expect((missing as Error).message).toBe('pods "b" not found');
  await expect(get("/none")).rejects.toThrow("GET /none: the server answered 404 page not found");
  expect((await transport.request({ method: "GET", path: "/healthz", accept: "*/*" })).body).toBe("ok");
});

it("the in-process transport ends requests and streams when their signals abort or it is closed", async () => {
  const transport = transportTo();
  const aborted = AbortSignal.abort(new Error("over"));
  const path = "/api/v1/pods";
  await expect(transport.request({ method: "GET", path, signal: aborted })).rejects.toThrow("over");
  await expect(transport.stream({ method: "GET", path, signal: aborted })).rejects.toThrow("over");
  const stop = new AbortController();
  const watch = await transport.stream({ method: "GET", path, query: { watch: true }, signal: stop.signal });
  const two = await transport.stream({ method: "GET", path, query: { watch: true } });
  const read = async (stream: AsyncIterable<unknown>): Promise<string> => {
    for await (const _ of stream) return "line";
    return "ended";
  };
  const both = [read(watch), read(two)];
  stop.abort();
  expect(await both[0]).toBe("ended");
  await transport.close();
  expect(await both[1]).toBe("ended");
  await expect(transport.request({ method: "GET", path })).rejects.toSatisfy(isTransportError);
});

it("the in-process transport serves a live client", async () => {
  const transport = transportTo([]);
  const client = createLiveClient({ transport, mapper: createRestMapper(transport) });
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: { large: "1" } };
  const created = await client.create(map);
  expect(created.metadata.managedFields?.[0]).toMatchObject({ operation: "Update", apiVersion: "v1" });
});

it("the fake client throws errors whose stack contains the caller", async () => {
  async function syncChild(): Promise<void> {
    await fakeClient().create({ ...widget, metadata: { name: "not a name", namespace: "default" } });
  }
  const error = await syncChild().catch((thrown: Error) => thrown);
  expect((error as Error).stack).toMatch(/at (async )?syncChild /);
});
