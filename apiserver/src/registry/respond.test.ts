import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

describe("a request for a Table", () => {
  const pods = "/api/v1/namespaces/default/pods/x";
  const status = async (method: string, url: string) => {
    const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io", "content-type": "application/json" };
    return (await server.handle({ method, url, headers, ...(method === "GET" ? {} : { body: "{}" }) })).status;
  };

  it.each([
    ["POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"],
    ["POST", "/api/v1/namespaces/default/serviceaccounts/x/token"],
    ["POST", `${pods}/eviction`],
    ["POST", `${pods}/binding`],
    ["PUT", `${pods}/resize`],
    ["GET", "/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval"],
    ["GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x/status"],
  ])("is refused: %s %s", async (method, url) => {
    expect(await status(method, url)).toBe(406);
  });

  it.each([
    ["GET", `${pods}/status`],
    ["GET", "/apis/apps/v1/namespaces/default/deployments/x/scale"],
    ["GET", pods],
  ])("is served: %s %s", async (method, url) => {
    expect(await status(method, url)).toBe(404);
  });
});
