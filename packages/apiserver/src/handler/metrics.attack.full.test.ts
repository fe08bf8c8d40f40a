import { beforeAll, describe, expect, it } from "vitest";
import { expectLinear } from "../../../../scripts/test-support/growth.ts";
import { requestInfo } from "../request/request-info.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

const administrator = { name: "admin", groups: ["system:masters", "system:authenticated"] };
const anonymous = { name: "system:anonymous", groups: ["system:unauthenticated"] };
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false });
});

const send = (method: string, url: string, user = administrator): Promise<{ status: number }> =>
  server.handle({ method, url, user, headers: {}, body: "" });

async function metrics(): Promise<string> {
  const { body } = await server.handle({ method: "GET", url: "/metrics", headers: {} });
  return String(body);
}

describe("the metrics of requests don't grow with texts that clients choose", () => {
  const long = "a".repeat(300);
  it.each([
    ["paths", "GET", "/probe-me"],
    ["paths with slashes at their end", "GET", "/version/probe-me/"],
    ["paths of health checks", "GET", "/healthz/probe-me"],
    ["documents", "GET", "/openapi/v3/probe-me"],
    ["groups", "GET", "/apis/probe-me"],
    ["groups of resources", "GET", "/apis/probe-me/v1/pods"],
    ["versions", "GET", "/api/probe-me/pods"],
    ["resources", "GET", "/api/v1/probe-me"],
    ["subresources", "GET", "/api/v1/namespaces/default/pods/a/probe-me"],
    ["namespaces", "GET", "/api/v1/namespaces/probe-me/pods"],
    ["names", "GET", "/api/v1/namespaces/default/pods/probe-me"],
    ["long texts", "GET", `/api/v1/probe-me-${long}`],
    ["methods", "PROBE-ME", "/version"],
    ["methods of resources", "PROBE-ME", "/api/v1/namespaces/default/pods"],
    ["methods that are properties of each object", "CONSTRUCTOR", "/version"],
    ["flags", "POST", "/api/v1/namespaces/default/pods?dryRun=probe-me"],
  ])("%s", async (_, method, url) => {
    await send(method, url);
    await send(method, url, anonymous);
    const text = await metrics();
    expect(text).not.toMatch(/probe-me|native code/i);
    for (const line of text.split("\n")) expect(line.length).toBeLessThan(1000);
  });

  it("but known paths and resources are counted", async () => {
    await send("GET", "/version");
    await send("GET", "/apis/apps/v1");
    await send("GET", "/api/v1/namespaces/default/configmaps");
    await send("PATCH", "/version");
    const text = await metrics();
    expect(text).toContain('scope="",subresource="/version",verb="GET",version=""');
    expect(text).toContain('subresource="/apis/apps/v1",verb="GET"');
    expect(text).toContain('resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"');
  });

  it("and refused requests aren't", async () => {
    await metrics();
    const before = await metrics();
    for (const path of ["/metrics", "/api/v1/secrets", "/apis/apps/v1/deployments", "/logs"]) {
      expect(await send("GET", path, anonymous)).toMatchObject({ status: 403 });
    }
    expect((await metrics()).split("\n")).toHaveLength(before.split("\n").length);
  });
});

describe("paths of any length are read in linear time", () => {
  it.each([
    ["slashes inside", (n: number) => `/a${"/".repeat(n)}b`],
    ["slashes inside the path of a version", (n: number) => `/version${"/".repeat(n)}b`],
    ["slashes inside a resource", (n: number) => `/api/v1/pods${"/".repeat(n)}b/`],
    ["escapes", (n: number) => `/api/v1/${"%2f".repeat(n)}b`],
    ["parameters", (n: number) => `/api/v1/pods?${"a=b&".repeat(n)}`],
    ["malformed parameters", (n: number) => `/api/v1/pods?${"%".repeat(n)}`],
    ["terms of a field selector", (n: number) => `/api/v1/pods?fieldSelector=${"a!=b,".repeat(n)}`],
    ["escapes in a field selector", (n: number) => `/api/v1/pods?fieldSelector=${"\\\\!".repeat(n)}`],
    ["terms of a label selector", (n: number) => `/api/v1/pods?labelSelector=${"a,".repeat(n)}`],
    ["values of a label selector", (n: number) => `/api/v1/pods?labelSelector=a+in+(${"b,".repeat(n)}b)`],
    ["spaces in a label selector", (n: number) => `/api/v1/pods?labelSelector=a${"+".repeat(n)}b`],
  ])("%s", (_, url) => {
    expectLinear((text) => requestInfo("GET", text), url, { to: 300_000 });
  });
});
