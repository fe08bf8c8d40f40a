import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/server.ts";

const core = "/api/v1/namespaces/default/events";
const own = "/apis/events.k8s.io/v1/namespaces/default/events";
let server: ApiServer;

async function send(method: string, url: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return JSON.parse(String((await server.handle({ method, url, headers, ...content })).body));
}

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  await send("POST", core, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "old" },
    involvedObject: { kind: "Pod", name: "a", namespace: "default" },
    reason: "Started",
    message: "text",
    source: { component: "kubelet" },
    count: 3,
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-02T00:00:00Z",
  });
  await send("POST", own, {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: "new" },
    regarding: { kind: "Pod", name: "b", namespace: "default" },
    reason: "Started",
    note: "text",
    action: "Start",
    type: "Normal",
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "kubelet",
    reportingInstance: "n",
  });
});
afterAll(() => server.stop());

it("an event of core/v1 is read through events.k8s.io", async () => {
  const event = await send("GET", `${own}/old`);
  expect(event).toMatchObject({
    apiVersion: "events.k8s.io/v1",
    regarding: { kind: "Pod", name: "a", namespace: "default" },
    note: "text",
    deprecatedSource: { component: "kubelet" },
    deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
    deprecatedLastTimestamp: "2026-01-02T00:00:00Z",
    deprecatedCount: 3,
    eventTime: null,
  });
  expect(event).not.toHaveProperty("involvedObject");
});

it("an event of events.k8s.io is read through core/v1", async () => {
  expect(await send("GET", `${core}/new`)).toMatchObject({
    apiVersion: "v1",
    involvedObject: { kind: "Pod", name: "b", namespace: "default" },
    message: "text",
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    reportingComponent: "kubelet",
    reportingInstance: "n",
    eventTime: "2026-01-01T00:00:00.000000Z",
  });
});

it("lists of both groups contain both events", async () => {
  for (const path of [core, own]) {
    const { items } = await send("GET", path);
    expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["new", "old"]);
  }
});

it.each([
  [core, "involvedObject.name=a", ["old"]],
  [core, "reportingComponent=kubelet", ["new"]],
  [own, "regarding.name=a", ["old"]],
  [own, "regarding.kind=Pod,reportingController=kubelet", ["new"]],
])("%s is selected by %s", async (path, selector, names) => {
  const { items } = await send("GET", `${path}?fieldSelector=${encodeURIComponent(selector)}`);
  expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(names);
});

it("selectors can't use the fields of the other group", async () => {
  const { message } = await send("GET", `${own}?fieldSelector=involvedObject.name%3Da`);
  expect(message).toBe("field label not supported: involvedObject.name");
});

it.each([
  ["/apis/batch/v1/jobs", 'field label "a" not supported for Job'],
  [
    "/apis/resource.k8s.io/v1/resourceslices",
    "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: a",
  ],
])("%s has its own error message for unsupported field selectors", async (path, message) => {
  expect((await send("GET", `${path}?fieldSelector=a%3Db`)).message).toBe(message);
});

it("an event is changed through one group after it was changed through the other", async () => {
  await send("POST", core, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "both" },
    involvedObject: { kind: "Pod", name: "a", namespace: "default" },
    reason: "Started",
    message: "text",
  });
  const patch = async (path: string, labels: Record<string, string>) => {
    const headers = { "content-type": "application/merge-patch+json" };
    const body = JSON.stringify({ metadata: { labels } });
    return JSON.parse(String((await server.handle({ method: "PATCH", url: `${path}/both`, headers, body })).body));
  };
  expect(await patch(core, { a: "1" })).toMatchObject({ apiVersion: "v1", message: "text" });
  expect(await patch(own, { b: "2" })).toMatchObject({ apiVersion: "events.k8s.io/v1", note: "text" });
  expect(await patch(core, { c: "3" })).toMatchObject({
    message: "text",
    metadata: { labels: { a: "1", b: "2", c: "3" } },
  });
});
