import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../../server/server.ts";

it.each([
  ["1", 201],
  ["1000m", 201],
  ["1001m", 403],
  ["1e150", 403],
  ["1e2000000000", 403],
  ["100Ei", 403],
])("a LimitRange with a maximum of 1 CPU answers %s with %d", async (cpu, status) => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  onTestFinished(() => server.stop());
  const create = (resource: string, object: object) =>
    server.handle({
      method: "POST",
      url: `/api/v1/namespaces/default/${resource}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(object),
    });
  const limits = [{ type: "Container", max: { cpu: "1" } }];
  expect((await create("limitranges", { metadata: { name: "max" }, spec: { limits } })).status).toBe(201);
  const resources = { limits: { cpu }, requests: { cpu: "1m" } };
  const pod = { metadata: { name: "pod" }, spec: { containers: [{ name: "main", image: "nginx", resources }] } };
  expect((await create("pods", pod)).status).toBe(status);
});
