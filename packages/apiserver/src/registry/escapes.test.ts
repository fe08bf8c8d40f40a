import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../server/server.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

async function start() {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  onTestFinished(() => server.stop());
  return async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = { "content-type": "application/json", ...headers };
    const answer = await server.handle({
      method,
      url,
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.stream === undefined) return String(answer.body ?? "");
    for await (const chunk of answer.stream) return String(chunk);
    return "";
  };
}

it("escapes <, >, & and separators of lines in objects, lists and events as Go does", async () => {
  const request = await start();
  const escaped = '"data":{"a":"\\u003cb\\u003e \\u0026 \\u2029"}';
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "<b> & \u2029" } };
  expect(await request("POST", configMaps, body)).toContain(escaped);
  expect(await request("GET", `${configMaps}/a`)).toContain(escaped);
  expect(await request("GET", configMaps)).toContain(escaped);
  expect(await request("GET", `${configMaps}?watch=1`)).toContain(escaped);
  expect(await request("GET", `${configMaps}/a?pretty=true`)).toContain('"a": "\\u003cb\\u003e \\u0026 \\u2029"');
});

it("escapes <, > and & in errors", async () => {
  const request = await start();
  const message = '"message":"configmaps \\"\\u003ca\\u003e\\" not found"';
  expect(await request("GET", `${configMaps}/%3Ca%3E`)).toContain(message);
});

it("quotes names in errors as Go does, and ignores malformed parameters", async () => {
  const request = await start();
  const answer = JSON.parse(await request("GET", `${configMaps}/a%00%22?labelSelector=%zz&a;b`));
  expect(answer.message).toBe('configmaps "a\\x00\\"" not found');
  expect(await request("GET", `${configMaps}?labelSelector=%zz`)).toContain('"items":[]');
});

it("escapes them in OpenAPI v3, but not in v2", async () => {
  const request = await start();
  const v3 = await request("GET", "/openapi/v3/api/v1");
  expect(v3).toContain("\\u003c");
  expect(v3).not.toContain("<");
  expect(await request("GET", "/openapi/v2")).toContain("<");
});
