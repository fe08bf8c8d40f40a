// The simulated controllers must leave the same objects and events as kube-controller-manager, without nodes.

import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { Json, JsonObject } from "@kubewright/cel/json";
import { createTransport, type Transport } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";

type Method = "GET" | "POST" | "PATCH";
type Send = (method: Method, path: string, body?: JsonObject, contentType?: string) => Promise<JsonObject>;

const controllers = [
  "deployment-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
  "statefulset-controller",
  "job-controller",
  "endpointslice-controller",
  "disruption-controller",
];
const environment = new TestEnvironment({ engine: "binaries", controllerManager: { controllers } });
const namespace = "/namespaces/default";
const resources = [
  `/apis/apps/v1${namespace}/deployments`,
  `/apis/apps/v1${namespace}/replicasets`,
  `/apis/apps/v1${namespace}/statefulsets`,
  `/apis/apps/v1${namespace}/controllerrevisions`,
  `/api/v1${namespace}/replicationcontrollers`,
  `/apis/policy/v1${namespace}/poddisruptionbudgets`,
  `/apis/batch/v1${namespace}/jobs`,
];
let transport: Transport;
let server: ApiServer;
const sends: Send[] = [];

beforeAll(async () => {
  transport = createTransport(await environment.start());
  server = await startApiServer({ http: false, controllers: { workloads: { controllers } } });
  const headersOf = (contentType: string) => ({ accept: "application/json", "content-type": contentType });
  sends.push(
    async (method, path, body, contentType = "application/json") =>
      (await transport.request({ method, path, ...(body ? { body, contentType } : {}) })).body as JsonObject,
    async (method, url, body, contentType = "application/json") => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await server.handle({ method, url, headers: headersOf(contentType), ...text });
      return JSON.parse(Buffer.from(answer.body ?? "").toString());
    },
  );
});

afterAll(async () => {
  await server?.stop();
  await transport?.close();
  await environment.stop();
});

function template(app: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: "app", image: "app:1" }], ...spec } };
}

function workload(apiVersion: string, kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name }, spec };
}

const selects = (app: string): JsonObject => ({ selector: { matchLabels: { app } }, template: template(app) });
const never = { restartPolicy: "Never" };
const objects: [string, JsonObject][] = [
  [
    `/apis/apps/v1${namespace}/deployments`,
    workload("apps/v1", "Deployment", "web", { replicas: 3, ...selects("web") }),
  ],
  [
    `/apis/apps/v1${namespace}/statefulsets`,
    workload("apps/v1", "StatefulSet", "db", { replicas: 2, serviceName: "db", ...selects("db") }),
  ],
  [
    `/api/v1${namespace}/replicationcontrollers`,
    workload("v1", "ReplicationController", "rc", { selector: { app: "rc" }, template: template("rc") }),
  ],
  [
    `/apis/policy/v1${namespace}/poddisruptionbudgets`,
    workload("policy/v1", "PodDisruptionBudget", "web", {
      maxUnavailable: 1,
      selector: { matchLabels: { app: "web" } },
    }),
  ],
  [`/apis/batch/v1${namespace}/jobs`, workload("batch/v1", "Job", "done", { template: template("done", never) })],
  [
    `/apis/batch/v1${namespace}/jobs`,
    workload("batch/v1", "Job", "failed", { backoffLimit: 0, template: template("failed", never) }),
  ],
  [
    `/apis/batch/v1${namespace}/jobs`,
    workload("batch/v1", "Job", "later", { suspend: true, template: template("later", never) }),
  ],
];

/** Waits until no object has changed for a while. */
async function settle(send: Send): Promise<void> {
  let before = "";
  for (let same = 0; same < 8; ) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const lists = await Promise.all([...resources, `/api/v1${namespace}/pods`].map((path) => send("GET", path)));
    const state = JSON.stringify(lists.map(({ items }) => items));
    same = state === before ? same + 1 : 0;
    before = state;
  }
}

/** Sets the status of all Pods as a kubelet would. */
async function runPods(send: Send): Promise<void> {
  const { items } = (await send("GET", `/api/v1${namespace}/pods`)) as {
    items: { metadata: JsonObject; status: JsonObject }[];
  };
  for (const { metadata, status } of items) {
    if (status.phase !== "Pending") continue;
    const { app } = metadata.labels as { app: string };
    const conditions = [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }];
    const phase = { done: "Succeeded", failed: "Failed" }[app] ?? "Running";
    const next = phase === "Running" ? { phase, conditions } : { phase };
    await send(
      "PATCH",
      `/api/v1${namespace}/pods/${metadata.name}/status`,
      { status: next },
      "application/merge-patch+json",
    );
  }
}

/**
 * Removes the parts of an object that differ between two servers: times, identifiers, hashes, and fields that rules of the kind
 * set.
 */
function comparable(value: Json | undefined, key = ""): Json {
  if (Array.isArray(value)) return value.map((item) => comparable(item, key));
  if (typeof value === "object" && value !== null) {
    const left = ["uid", "resourceVersion", "managedFields", "time", "pod-template-hash"];
    const entries = Object.entries(value).filter(
      ([name]) => !left.includes(name) && !/controller-uid|job-name/.test(name),
    );
    return Object.fromEntries(entries.sort().map(([name, item]) => [name, comparable(item, name)]));
  }
  if (typeof value !== "string") return value ?? null;
  return value
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\bweb-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, "web-HASH")
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-RANDOM");
}

async function stateOf(send: Send): Promise<JsonObject> {
  const state: JsonObject = {};
  for (const path of resources) {
    const { items } = (await send("GET", path)) as { items: JsonObject[] };
    const isJob = path.endsWith("/jobs");
    // The rules of Jobs add labels and selectors. This test compares only the status.
    const compared = items.map((item) => comparable(isJob ? { status: item.status ?? null } : item));
    // Names end with hashes, so their order differs.
    state[path] = compared.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  const { items } = (await send("GET", `/api/v1${namespace}/events`)) as { items: JsonObject[] };
  // The order of two controllers determines whether the budget has no Pods for a moment.
  const recorded = items.filter(({ reason }) => reason !== "NoPods");
  const events = recorded.map((event) => {
    const { involvedObject, type, reason, message, source } = event as Record<string, JsonObject>;
    return comparable(`${involvedObject?.kind} ${type} ${reason} ${message} ${source?.component}`);
  });
  state.events = [...new Set(events)].sort();
  return state;
}

async function compare(): Promise<void> {
  await Promise.all(sends.map(settle));
  const [real, ours] = (await Promise.all(sends.map(stateOf))) as [JsonObject, JsonObject];
  for (const path of resources) expect((real[path] as Json[]).length, path).toBeGreaterThan(0);
  expect((real.events as Json[]).length).toBeGreaterThan(5);
  expect(ours).toEqual(real);
}

const all = (work: (send: Send) => Promise<unknown>): Promise<unknown> => Promise.all(sends.map(work));
const merge = "application/merge-patch+json";

it("new objects have the same results", async () => {
  await all(async (send) => {
    for (const [path, object] of objects) await send("POST", path, object);
  });
  await compare();
});

it("Pods that run, succeed and fail have the same results", async () => {
  for (let round = 0; round < 3; round++) {
    await all(runPods);
    await all(settle);
  }
  await compare();
});

it("a new template, more replicas and a resumed Job have the same results", async () => {
  const image = { spec: { template: { spec: { containers: [{ name: "app", image: "app:2" }] } } } };
  await all(async (send) => {
    await send("PATCH", `${resources[0]}/web`, image, merge);
    await send("PATCH", `${resources[2]}/db`, image, merge);
    await send("PATCH", `${resources[6]}/later`, { spec: { suspend: false } }, merge);
  });
  for (let round = 0; round < 4; round++) {
    await all(settle);
    await all(runPods);
  }
  await all((send) => send("PATCH", `${resources[0]}/web`, { spec: { replicas: 5 } }, merge));
  await compare();
});
