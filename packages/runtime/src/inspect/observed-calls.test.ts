// The order of what a reconcile does, and its calls of other systems.
import { createServer, get as httpGet, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { systemClock } from "../clock/clock.ts";
import { silentLogger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";
import type { ReconcileRecord } from "../session/records.ts";
import type { Transport } from "../transport/transport.ts";
import { Inspector } from "./inspector.ts";

const Game = groupVersion("game.example.com", "v1").kind<KubernetesObject>("Game");
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(({ url: path = "" }, response) => {
    if (path.startsWith("/silent")) return;
    response.writeHead(path.startsWith("/missing") ? 404 : 201).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Parts = { log: Inspector["logger"] extends (logger: infer L) => unknown ? L : never; transport: Transport };

async function recorded(reconcile: (parts: Parts) => Promise<void>): Promise<ReconcileRecord> {
  const inspector = new Inspector(systemClock);
  const controller = inspector.controller<Request>("game", Game);
  const log = inspector.logger(silentLogger);
  // The API server is reached over HTTP, as the real transport does.
  const transport = inspector.cluster.transport({
    async request({ method, path }) {
      await (await fetch(`http://${url}${path}`)).text();
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion: "1" } };
      return { status: method === "POST" ? 201 : 200, headers: {}, body } as never;
    },
    stream: () => Promise.reject(new Error("unused")),
    close: async () => {},
  });
  const context = { log, signal: new AbortController().signal, reasons: [], reconcileID: "1" };
  await controller.run(context, { namespace: "", name: "chess" }, async () => {
    await reconcile({ log, transport });
    return undefined;
  });
  return inspector.reconciles()[0] as ReconcileRecord;
}

const maps = "/api/v1/namespaces/default/configmaps";

it("reads, writes, calls and log lines keep their order", async () => {
  const { reads, writes, calls, logs, steps } = await recorded(async ({ log, transport }) => {
    log.info("begin");
    await transport.request({ method: "GET", path: `${maps}/a` });
    await fetch(`http://${url}/players`, { method: "POST", body: "{}" });
    await transport.request({ method: "POST", path: maps, body: {} });
    await transport.request({ method: "GET", path: `${maps}/a` });
    log.info("end");
  });
  expect(steps).toEqual(["log", "read", "call", "write", "read", "log"]);
  expect([reads.length, writes.length, logs.length]).toEqual([2, 1, 2]);
  expect(calls).toEqual([
    { method: "POST", url: `http://${url}/players`, status: 201, error: null, durationMs: expect.any(Number) },
  ]);
});

it("requests of node:http and failures are calls, too", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const unused = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
  const { calls } = await recorded(async () => {
    await new Promise((resolve) =>
      httpGet(`http://${url}/missing`, (response) => response.resume().on("end", resolve)),
    );
    await fetch(`http://${unused}/x`).catch(() => undefined);
    await new Promise((resolve) => httpGet(`http://${unused}/y`).on("error", resolve));
    // Its answer doesn't come before the end.
    void fetch(`http://${url}/silent`).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  });
  expect(calls.map(({ url: called, status, error }) => [new URL(called).pathname, status, error])).toEqual([
    ["/missing", 404, null],
    ["/x", undefined, expect.stringContaining("ECONNREFUSED")],
    ["/y", undefined, expect.stringContaining("ECONNREFUSED")],
    ["/silent", undefined, "no answer before the reconcile ended"],
  ]);
});

it("URLs of calls contain no credentials, and requests outside of reconciles aren't recorded", async () => {
  const { calls } = await recorded(async () => {
    await new Promise((resolve) =>
      httpGet(
        { host: "127.0.0.1", port: url.split(":")[1], path: "/a?token=hunter2&page=3", auth: "me:hunter2" },
        (response) => response.resume().on("end", resolve),
      ),
    );
  });
  await fetch(`http://${url}/outside`);
  expect(calls.map((call) => call.url)).toEqual([`http://${url}/a?token=[redacted]&page=…`]);
});

it("the number of calls is limited", async () => {
  const { calls, dropped, steps } = await recorded(async () => {
    for (let count = 0; count < 130; count++) await (await fetch(`http://${url}/${count}`)).text();
  });
  expect([calls.length, dropped, steps.length]).toEqual([100, 30, 100]);
});
