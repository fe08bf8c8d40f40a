import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiServer, startApiServer } from "../../index.ts";
import { type AnyObject, podTemplate } from "./workloads.fixture.ts";

const huge = 1_000_000_000;
/** The writes of a turn: three steps of controllers, and what the server itself adds to them. */
const writesPerTurn = 20;

/** A server with the machine's clock, as a process runs it. */
async function start(places?: number) {
  const server = await startApiServer({
    http: false,
    authorization: "always-allow",
    controllers: { workloads: { podReadyAfter: 0 } },
  });
  onTestFinished(() => server.stop());
  const send = async (method: string, url: string, body?: JsonObject): Promise<AnyObject> => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await server.handle({
      method,
      url,
      headers: { accept: "application/json", "content-type": type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status, String(answer.body)).toBeLessThan(300);
    return JSON.parse(String(answer.body));
  };
  if (places !== undefined) {
    const status = { allocatable: { pods: String(places) } };
    await send("PATCH", "/api/v1/nodes/kubewright/status", { status });
  }
  return { server, send };
}

/** Watches the turns of the event loop until a condition holds. Returns the most writes in one of them. */
async function mostWrites(server: ApiServer, until: () => Promise<boolean>): Promise<number> {
  let most = 0;
  for (let turn = 1; ; turn++) {
    const before = server.revision;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, server.revision - before);
    if (turn % 50 === 0 && (await until())) return most;
  }
}

const selector = { matchLabels: { app: "big" } };
const template = podTemplate("big");
const jobTemplate = podTemplate("big", { "apiserver.kubewright.dev/run-for": "1h" }, { restartPolicy: "Never" });
const kinds: [string, string, JsonObject][] = [
  ["Deployment", "/apis/apps/v1/namespaces/default/deployments", { replicas: huge, selector, template }],
  ["ReplicaSet", "/apis/apps/v1/namespaces/default/replicasets", { replicas: huge, selector, template }],
  ["ReplicationController", "/api/v1/namespaces/default/replicationcontrollers", { replicas: huge, template }],
  [
    "StatefulSet",
    "/apis/apps/v1/namespaces/default/statefulsets",
    { replicas: huge, selector, template, serviceName: "big", podManagementPolicy: "Parallel" },
  ],
  [
    "StatefulSet",
    "/apis/apps/v1/namespaces/default/statefulsets",
    { replicas: huge, selector, template, serviceName: "big" },
  ],
  [
    "Job",
    "/apis/batch/v1/namespaces/default/jobs",
    { parallelism: huge, completions: huge, backoffLimit: 2, template: jobTemplate },
  ],
];

function objectOf(kind: string, url: string, spec: JsonObject): JsonObject {
  const apiVersion = url.split("/namespaces")[0]?.replace(/^\/apis?\//, "") as string;
  return { apiVersion, kind, metadata: { name: "big" }, spec };
}

describe("a number of replicas that no cluster can hold", () => {
  it.each(kinds)("doesn't keep the server from answering: %s", async (kind, url, spec) => {
    const { server, send } = await start(30);
    await send("POST", url, objectOf(kind, url, spec));
    const events = "/api/v1/namespaces/default/events?fieldSelector=reason%3DFailedCreate";
    let event: AnyObject;
    const most = await mostWrites(server, async () => {
      [event] = (await send("GET", events)).items;
      return event !== undefined;
    });
    expect(most).toBeLessThanOrEqual(writesPerTurn);
    expect(event.message).toContain("the simulated node kubewright has no place for it, limited: pods=30");
    expect((await send("GET", "/api/v1/namespaces/default/pods")).items).toHaveLength(30);
  });

  it("stops at the places of the node, and the deletion of its Pods doesn't keep the server from answering either", async () => {
    const { server, send } = await start(200);
    const [kind, url, spec] = kinds[0] as (typeof kinds)[0];
    await send("POST", url, objectOf(kind, url, spec));
    let pods = 0;
    server.observation.onWrite(({ kind, isNew, isDeletion }) => {
      if (kind === "Pod" && (isNew || isDeletion)) pods += isNew ? 1 : -1;
    });
    const most = await mostWrites(server, async () => pods === 200);
    expect(most).toBeLessThanOrEqual(writesPerTurn);
    await send("DELETE", "/apis/apps/v1/namespaces/default/deployments/big");
    expect(await mostWrites(server, async () => pods === 0)).toBeLessThanOrEqual(writesPerTurn);
  });

  it("of an indexed Job ends in time that doesn't depend on it", async () => {
    const { send } = await start(5);
    const url = "/apis/batch/v1/namespaces/default/jobs";
    const spec = { completionMode: "Indexed", parallelism: 3, completions: huge, template: jobTemplate };
    await send("POST", url, { ...objectOf("Job", url, spec), status: {} });
    await send("PATCH", `${url}/big/status`, { status: { completedIndexes: `0-${huge - 3}`, succeeded: huge - 2 } });
    for (;;) {
      const { items } = await send("GET", "/api/v1/namespaces/default/pods");
      const last = items.map(
        ({ metadata }: AnyObject) => metadata.annotations["batch.kubernetes.io/job-completion-index"],
      );
      if (last.includes(String(huge - 1))) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});
