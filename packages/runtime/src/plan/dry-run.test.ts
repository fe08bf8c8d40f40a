import { describe, expect, it } from "vitest";
import { dryRunOf, refusal, unplannedWrite } from "./dry-run.ts";

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
    expect(refusal({ method: "POST", path: "" }, { ...info, subresource }, [])).toContain(subresource);
  });

  it("writes to aggregated API servers, and permits reads", () => {
    const aggregated = ["metrics.k8s.io/v1beta1"];
    const metrics = { ...info, group: "metrics.k8s.io", version: "v1beta1" };
    expect(refusal({ method: "PUT", path: "" }, metrics, aggregated)).toContain("may ignore dry runs");
    expect(refusal({ method: "GET", path: "" }, metrics, aggregated)).toBeUndefined();
    expect(refusal({ method: "PUT", path: "" }, info, aggregated)).toBeUndefined();
  });
});
