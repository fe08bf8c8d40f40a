import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { TokenRequest } from "../api/authentication/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createLiveClient } from "../client/live-client.ts";
import type { Config } from "../config/config.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { TransportError } from "../errors/transport-error.ts";
import { Event } from "../events/event.ts";
import { createLogger } from "../log/create-logger.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport, TransportStream } from "../transport/transport.ts";
import { Manager } from "./manager.ts";
import { ConfigMap, eventually, Widget, WidgetReconciler, widget, widgetCRD } from "./widget.fixture.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
const lines: string[] = [];
const logger = createLogger({ destination: { write: (line) => void lines.push(line) }, level: "debug" });
let config: Config;

beforeAll(async () => {
  config = await environment.start();
});

afterAll(() => environment.stop());

/** A connection whose requests and streams can be cut, while other connections work. */
class CuttableConnection {
  readonly transport: Transport;
  isCut = false;
  readonly #open = new Set<TransportStream>();

  constructor(inner: Transport) {
    const check = (): void => {
      if (this.isCut) throw new TransportError("ECONNREFUSED", "the connection is cut");
    };
    this.transport = {
      request: async (request) => {
        check();
        return inner.request(request);
      },
      stream: async (request) => {
        check();
        const stream = await inner.stream(request);
        this.#open.add(stream);
        return stream;
      },
      close: () => inner.close(),
    };
  }

  async cut(): Promise<void> {
    this.isCut = true;
    for (const stream of this.#open) await stream.close();
    this.#open.clear();
  }
}

function liveClient() {
  const transport = createTransport(config);
  return {
    client: createLiveClient({ transport, mapper: createRestMapper(transport) }),
    close: () => transport.close(),
  };
}

describe("an operator on a real API server", { sequential: true }, () => {
  fullTest("I5, I7: lists again after its watch has expired, and reconciles only the changed objects", async () => {
    const connection = new CuttableConnection(createTransport(config));
    const mgr = await Manager.create(config, {
      transport: connection.transport,
      metrics: { bindAddress: "0" },
      logger,
    });
    const reconciler = new WidgetReconciler(mgr.client);
    await newControllerManagedBy(mgr).for(Widget).owns(ConfigMap).complete(reconciler);
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    const other = liveClient();
    for (const name of ["kept", "changed", "gone"]) await other.client.create(widget(name, "red"));
    const color = async (name: string) =>
      (await other.client.get(Widget, { namespace: "default", name })).status?.color;
    await eventually(async () =>
      expect(await Promise.all(["kept", "changed", "gone"].map(color))).toEqual(Array(3).fill("red")),
    );
    await sleep(300);

    await connection.cut();
    const changed = await other.client.get(Widget, { namespace: "default", name: "changed" });
    await other.client.update({ ...changed, spec: { color: "blue" } });
    await other.client.delete(Widget, { namespace: "default", name: "gone" });
    for (let i = 0; i < 50; i++) await other.client.create(widget(`new-${i}`, "green"));
    // A server that has just started has no earlier events, so it rejects old watches with 410.
    await environment.restartApiServer();
    reconciler.reconciles.length = 0;
    lines.length = 0;
    connection.isCut = false;
    await eventually(async () => {
      expect(await color("changed")).toBe("blue");
      for (let i = 0; i < 50; i++) expect(await color(`new-${i}`)).toBe("green");
    });
    expect(lines.join("")).toContain("Watch expired, listing again");
    const names = new Set(reconciler.reconciles.map(({ name }) => name));
    expect(names.has("gone")).toBe(true);
    expect(names.has("kept")).toBe(false);
    expect(names.size).toBe(52);
    stop.abort();
    await done;
    await connection.transport.close();
    await other.close();
  });

  it("writes events, and counts repetitions", async () => {
    const mgr = await Manager.create(config, { metrics: { bindAddress: "0" }, logger });
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    const owner = await mgr.client.create(widget("talkative", "red"));
    const recorder = mgr.recorder("widget-controller");
    for (let i = 0; i < 3; i++) recorder.event(owner, "Normal", "Created", `note ${i}`);
    recorder.event(owner, "Warning", "Failed", "it broke", { action: "Breaking" });
    const { client, close } = liveClient();
    await eventually(async () => {
      const { items } = await client.list(Event, { namespace: "default" });
      const own = items.filter(({ regarding }) => regarding.name === "talkative");
      expect(own.map(({ type, reason, action, series }) => [type, reason, action, series?.count]).sort()).toEqual([
        ["Normal", "Created", "Created", 3],
        ["Warning", "Failed", "Breaking", undefined],
      ]);
    });
    stop.abort();
    await done;
    await close();
  });

  it("serves metrics over TLS: 401 without a token, 403 without the permission, otherwise 200", async () => {
    const mgr = await Manager.create(config, {
      metrics: { bindAddress: "127.0.0.1:0", secureServing: true },
      logger,
    });
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    const { client, close } = liveClient();
    const token = async (name: string): Promise<string> => {
      const account = await client.create({
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name, namespace: "default" },
      });
      const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} } as TokenRequest;
      const answer = await client.subResource("token").create(account, request);
      return (answer as unknown as { status: { token: string } }).status.token;
    };
    const rbac = "rbac.authorization.k8s.io";
    await client.create({
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "metrics-reader" },
      rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
    } as KubernetesObject);
    await client.create({
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "metrics-reader" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "metrics-reader" },
      subjects: [{ kind: "ServiceAccount", name: "reader", namespace: "default" }],
    } as KubernetesObject);
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    const get = async (bearer?: string) => {
      const headers = bearer ? { authorization: `Bearer ${bearer}` } : {};
      const response = await fetch(`https://127.0.0.1:${mgr.metricsPort}/metrics`, { headers, dispatcher });
      return { status: response.status, text: await response.text() };
    };
    await eventually(() => expect(mgr.metricsPort).toBeGreaterThan(0));
    expect((await get()).status).toBe(401);
    expect((await get("nonsense")).status).toBe(401);
    expect((await get(await token("stranger"))).status).toBe(403);
    const reader = await token("reader");
    await eventually(async () => {
      const answer = await get(reader);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain("process_cpu_seconds_total");
    });
    await dispatcher.close();
    stop.abort();
    await done;
    await close();
  });
});
