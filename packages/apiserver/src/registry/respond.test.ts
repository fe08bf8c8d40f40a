import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

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

describe("the keys of metadata", () => {
  const definition = {
    metadata: { name: "gears.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gears", kind: "Gear" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  const owner = { uid: "u", name: "n", kind: "Pod", controller: true, blockOwnerDeletion: true, apiVersion: "v1" };
  const gears = "/apis/example.com/v1/namespaces/default/gears";
  const partial = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
  const goOrder =
    /"metadata":\{"name":"a","namespace":"default","uid":"[^"]+","resourceVersion":"\d+","generation":1,"creationTimestamp":"[^"]+","labels":\{"b":"2"\},"ownerReferences":\[\{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u","controller":true,"blockOwnerDeletion":true\}\],"managedFields":\[\{"manager":/;
  let own: ApiServer;

  beforeAll(async () => {
    own = await startApiServer({ http: false, authorization: "always-allow", crds: [definition] });
    await send("POST", gears, "application/json", {
      apiVersion: "example.com/v1",
      kind: "Gear",
      metadata: { ownerReferences: [owner], name: "a", labels: { b: "2" } },
    });
  });
  afterAll(() => own.stop());
  const send = (method: string, url: string, accept: string, body?: unknown) => {
    const headers = { accept, "content-type": "application/json" };
    return own.handle({ method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  };

  it.each([
    [`${gears}/a`, "PartialObjectMetadata"],
    [gears, "PartialObjectMetadataList"],
    [gears, "Table"],
  ])("of custom resources have the order of Go's struct: %s as %s", async (url, kind) => {
    expect(String((await send("GET", url, partial(kind))).body)).toMatch(goOrder);
  });

  it("of custom resources and their bookmarks are sorted", async () => {
    expect(String((await send("GET", `${gears}/a`, "application/json")).body)).toContain(
      '"ownerReferences":[{"apiVersion":"v1","blockOwnerDeletion":true,"controller":true,"kind"',
    );
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const { stream } = await send("GET", `${gears}?${query}&fieldSelector=metadata.name=none`, "application/json");
    for await (const event of stream ?? []) {
      expect(event).toMatch(
        /^\{"type":"BOOKMARK","object":\{"apiVersion":"example.com\/v1","kind":"Gear","metadata":\{"annotations":\{"k8s.io\/initial-events-end":"true"\},"resourceVersion":"\d+"\}\}\}\n$/,
      );
      break;
    }
  });
});
