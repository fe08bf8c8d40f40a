import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../../server/server.ts";

const pods = "/api/v1/namespaces/default/pods";
let server: ApiServer;

async function send(method: string, url: string, body: object, type = "application/json") {
  const headers = { "content-type": type };
  return JSON.parse(String((await server.handle({ method, url, headers, body: JSON.stringify(body) })).body));
}

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  for (const [name, system] of [
    ["linux", "linux"],
    ["windows", "windows"],
  ]) {
    const status = { allocatable: { cpu: "2", memory: "1Gi" } };
    await send("POST", "/api/v1/nodes", { metadata: { name, labels: { "kubernetes.io/os": system } }, status });
  }
});
afterAll(() => server.stop());

async function resized(nodeName: string, cpu: string, memory = "100Mi") {
  const name = `a${Math.random().toString(36).slice(2)}`;
  const container = { name: "c", image: "i", resources: { requests: { cpu: "100m", memory: "100Mi" } } };
  const sidecar = { ...container, name: "s", restartPolicy: "Always" };
  const spec = { nodeName, containers: [container], initContainers: [sidecar], overhead: undefined };
  await send("POST", pods, { metadata: { name }, spec });
  const change = { spec: { containers: [{ name: "c", resources: { requests: { cpu, memory } } }] } };
  const answer = await send("PATCH", `${pods}/${name}/resize`, change, "application/strategic-merge-patch+json");
  return { ...answer, message: answer.message?.replaceAll(name, "a") };
}

test("a Pod can be resized as far as its node allows", async () => {
  expect(await resized("linux", "1900m")).toMatchObject({ kind: "Pod", metadata: { generation: 2 } });
  expect(await resized("linux", "1900001u", "2Gi")).toMatchObject({
    code: 403,
    message:
      'pods "a" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 2001, allocatable: 2000; memory, requested: 2252341248, allocatable: 1073741824',
    details: { causes: [{ reason: "NodeCapacity" }] },
  });
});

test("only Pods on Linux nodes that exist can be resized", async () => {
  expect(await resized("windows", "1")).toMatchObject({
    code: 403,
    message: 'pods "a" is forbidden: pod resize is only supported on linux nodes, node "windows" is "windows"',
    details: { causes: [{ reason: "UnsupportedPlatform" }] },
  });
  expect(await resized("none", "1")).toMatchObject({
    code: 403,
    message: 'pods "a" is forbidden: node "none" not found',
  });
  // Nothing is checked if nothing changes.
  expect(await resized("none", "100m")).toMatchObject({ kind: "Pod" });
});
