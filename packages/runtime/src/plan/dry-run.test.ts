import { describe, expect, it } from "vitest";
import { dryRunOf, mayIgnoreDryRuns, refusal, unplannedWrite } from "./dry-run.ts";

const request = (line: string, body = "", headers = "content-type: application/json") =>
  `${line} HTTP/1.1\r\nhost: server\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const pods = "/api/v1/namespaces/default/pods";

describe("the bytes of a request", () => {
  it.each([
    ["a read", request(`GET ${pods}`)],
    ["a create", request(`POST ${pods}?dryRun=All`, "{}")],
    ["an update", request(`PUT ${pods}/a?fieldManager=x&dryRun=All`, "{}")],
    ["a patch", request(`PATCH ${pods}/a/status?dryRun=All`, "[]", "content-type: application/json-patch+json")],
    ["a deletion", request(`DELETE ${pods}/a`, '{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}')],
    ["a review", request("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "{}")],
    [
      "a review in a namespace",
      request("POST /apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews", "{}"),
    ],
  ])("permit %s", (_what, text) => {
    expect(unplannedWrite(text)).toBeUndefined();
  });

  it.each([
    ["a create", request(`POST ${pods}`, "{}")],
    ["an update with another dry run", request(`PUT ${pods}/a?dryRun=Some`, "{}")],
    ["a patch with an empty dry run", request(`PATCH ${pods}/a?dryRun=`, "{}")],
    ["two values, of which the server may read another", request(`POST ${pods}?dryRun=All&dryRun=`, "{}")],
    ["a deletion whose query the server ignores", request(`DELETE ${pods}/a?dryRun=All`, '{"kind":"DeleteOptions"}')],
    ["a deletion without a body", request(`DELETE ${pods}/a?dryRun=All`)],
    ["a deletion with another list", request(`DELETE ${pods}/a`, '{"dryRun":["All","None"]}')],
    ["a deletion with a text", request(`DELETE ${pods}/a`, '{"dryRun":"All"}')],
    ["a dry run only in the body of a create", request(`POST ${pods}`, '{"dryRun":["All"]}')],
    ["a query in the fragment", request(`POST ${pods}#?dryRun=All`, "{}")],
    ["an upgrade", request(`GET ${pods}/a/log`, "", "connection: Upgrade\r\nupgrade: websocket")],
    ["exec by GET", request(`GET ${pods}/a/exec?command=rm`)],
    ["the name of a review in another group", request("POST /apis/example.com/v1/tokenreviews", "{}")],
    ["an object with the name of a review", request("DELETE /apis/authorization.k8s.io/v1/tokenreviews/a")],
    ["an unknown method", request(`PURGE ${pods}`)],
    ["what isn't a request", "\r\n\r\n"],
  ])("reveal %s", (_what, text) => {
    expect(unplannedWrite(text)).toMatch(/\S/);
  });
});

describe("names of subresources", () => {
  it.each(["/api/v1/namespaces/default/configmaps/proxy", "/api/v1/namespaces/exec/pods", "/apis/a.io/v1/attach"])(
    "don't keep %s from being read",
    (path) => {
      expect(unplannedWrite(`GET ${path} HTTP/1.1\r\n\r\n`)).toBeUndefined();
    },
  );
});

describe("a write becomes a dry run", () => {
  it.each(["POST", "PUT", "PATCH"] as const)("by the query of %s", (method) => {
    expect(dryRunOf({ method, path: pods, query: { fieldManager: "x" }, body: {} })).toEqual({
      method,
      path: pods,
      query: { fieldManager: "x", dryRun: "All" },
      body: {},
    });
  });

  it("by the body of a deletion, which keeps its options", () => {
    const body = { propagationPolicy: "Foreground", preconditions: { uid: "1" } };
    expect(dryRunOf({ method: "DELETE", path: `${pods}/a`, body })).toEqual({
      method: "DELETE",
      path: `${pods}/a`,
      query: {},
      body: { apiVersion: "v1", kind: "DeleteOptions", ...body, dryRun: ["All"] },
    });
  });
});

describe("a plan refuses", () => {
  const info = { group: "", version: "v1", namespace: "default", plural: "pods", name: "a", subresource: "" };
  it.each(["exec", "attach", "portforward", "proxy", "token"])("the subresource %s", (subresource) => {
    expect(refusal({ method: "POST", path: "" }, { ...info, subresource }, false)).toContain(subresource);
  });

  it("writes to servers that may ignore dry runs, and permits reads", () => {
    expect(refusal({ method: "PUT", path: "" }, info, true)).toContain("may ignore dry runs");
    expect(refusal({ method: "GET", path: "" }, info, true)).toBeUndefined();
    expect(refusal({ method: "PUT", path: "" }, info, false)).toBeUndefined();
  });
});

describe("a write may reach a server that ignores dry runs", () => {
  const metrics = { group: "metrics.k8s.io", version: "v1beta1" };
  const games = { group: "games.example.com", version: "v1" };
  it.each([
    ["an aggregated group", metrics, ["metrics.k8s.io/v1beta1"], false, true],
    ["another version of an aggregated group", { ...metrics, version: "v1" }, ["metrics.k8s.io/v1beta1"], false, false],
    ["a custom resource", games, ["metrics.k8s.io/v1beta1"], true, false],
    ["a built-in group, if the aggregated ones are unknown", { group: "apps", version: "v1" }, undefined, false, false],
    ["the group of the core, if they are unknown", { group: "", version: "v1" }, undefined, false, false],
    ["a group of Kubernetes that isn't built in, if they are unknown", metrics, undefined, false, true],
    ["a defined custom resource, if they are unknown", games, undefined, true, false],
    ["an unknown group, if they are unknown", games, undefined, false, true],
  ])("%s", (_, info, aggregated, isDefined, isUnsafe) => {
    expect(mayIgnoreDryRuns(info, aggregated, () => isDefined)).toBe(isUnsafe);
  });
});

describe("the path of a server's address", () => {
  const prefixes = ["", "/k8s/clusters/c-1"];
  const review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  it("doesn't hide a review", () => {
    expect(unplannedWrite(request(`POST /k8s/clusters/c-1${review}`, "{}"), prefixes)).toBeUndefined();
    expect(unplannedWrite(request(`POST /another${review}`, "{}"), prefixes)).toMatch(/\S/);
  });
  it("doesn't hide exec", () => {
    expect(unplannedWrite(request(`GET /k8s/clusters/c-1${pods}/a/exec`), prefixes)).toMatch(/\S/);
  });
  it("doesn't make a review of a request to a proxy", () => {
    const text = request(`POST /api/v1/namespaces/a/services/b/proxy${review}`, "{}");
    expect(unplannedWrite(text, prefixes)).toMatch(/\S/);
  });
});
