import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widgetDefinition } from "../custom-resources/widget.fixture.ts";
import { type GrowingRequest, growingRequests, widgetSpec } from "./growing-bodies.fixture.ts";
import { type ApiServer, startApiServer } from "./server.ts";

const [small, large] = [1000, 8000];
/** Linear requests take about as long per unit of input, quadratic ones eight times as long. */
const limit = 5;
/** The processor time below which other costs dominate, in milliseconds. */
const measurable = 5;

let server: ApiServer;

async function timeOf({ method = "POST", path, type, body }: GrowingRequest, size: number): Promise<number> {
  const url = typeof path === "function" ? path(size) : path;
  const value = body?.(size);
  const text = value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  const dryRun = method === "GET" ? "" : `${url.includes("?") ? "&" : "?"}dryRun=All`;
  const headers = { "content-type": type ?? "application/json" };
  const start = process.cpuUsage();
  await server.handle({ method, url: url + dryRun, headers, ...(text === undefined ? {} : { body: text }) });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function growth(request: GrowingRequest): Promise<number> {
  const least = Math.min(await timeOf(request, small), await timeOf(request, small), await timeOf(request, small));
  const most = Math.min(await timeOf(request, large), await timeOf(request, large));
  return most / Math.max(least, measurable) / (large / small);
}

beforeAll(async () => {
  const openAPIV3Schema = { type: "object", properties: { spec: widgetSpec } };
  const definition = widgetDefinition([{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }]);
  const old = (apiVersion: string, kind: string, rest: JsonObject): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name: "old", namespace: "default" },
    ...rest,
  });
  server = await startApiServer({ http: false, crds: [definition] });
  const objects: readonly (readonly [string, JsonObject])[] = [
    ["/api/v1/namespaces/default/configmaps", old("v1", "ConfigMap", { data: { a: "b" } })],
    ["/api/v1/namespaces/default/pods", old("v1", "Pod", { spec: { containers: [{ name: "c", image: "i" }] } })],
    ["/apis/example.com/v1/namespaces/default/widgets", old("example.com/v1", "Widget", { spec: {} })],
  ];
  for (const [url, object] of objects) {
    const { status } = await server.handle({ method: "POST", url, headers: {}, body: JSON.stringify(object) });
    expect(status).toBe(201);
  }
});
afterAll(() => server.stop());

describe("requests of any size take linear time", () => {
  it.each(Object.entries(growingRequests))("%s", async (_, request) => {
    await timeOf(request, 50);
    let grown = await growth(request);
    for (let again = 0; again < 2 && grown >= limit; again++) grown = Math.min(grown, await growth(request));
    expect(grown).toBeLessThan(limit);
  });
});
