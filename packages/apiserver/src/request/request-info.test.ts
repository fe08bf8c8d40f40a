import { describe, expect, test } from "vitest";
import { requestInfo } from "./request-info.ts";

const read = (method: string, url: string) => {
  const { verb, group, version, resource, subresource, namespace, name, isResource } = requestInfo(method, url);
  return isResource ? [verb, group, version, namespace, resource, name, subresource].join("|") : `path ${verb}`;
};

describe("the request", () => {
  test.each([
    ["GET", "/api/v1/namespaces", "list||v1||namespaces||"],
    ["GET", "/api/v1/namespaces/a", "get||v1|a|namespaces|a|"],
    ["PUT", "/api/v1/namespaces/a/finalize", "update||v1|a|namespaces|a|finalize"],
    ["GET", "/api/v1/namespaces/a/status", "get||v1|a|namespaces|a|status"],
    ["GET", "/api/v1/namespaces/a/pods", "list||v1|a|pods||"],
    ["GET", "/api/v1/namespaces/a/pods?watch=true", "watch||v1|a|pods||"],
    ["GET", "/api/v1/namespaces/a/pods?watch=0", "list||v1|a|pods||"],
    ["GET", "/api/v1/namespaces/a/pods/p/log", "get||v1|a|pods|p|log"],
    ["GET", "/api/v1/pods", "list||v1||pods||"],
    ["GET", "/api/v1/watch/pods", "watch||v1||pods||"],
    ["GET", "/api/v1/watch/namespaces/a/pods/p", "watch||v1|a|pods|p|"],
    ["DELETE", "/api/v1/namespaces/a/pods", "deletecollection||v1|a|pods||"],
    ["DELETE", "/api/v1/namespaces/a/pods/p", "delete||v1|a|pods|p|"],
    ["POST", "/apis/apps/v1/namespaces/a/deployments", "create|apps|v1|a|deployments||"],
    ["PATCH", "/apis/apps/v1/namespaces/a/deployments/d/scale", "patch|apps|v1|a|deployments|d|scale"],
    ["HEAD", "/api/v1/nodes/n", "get||v1||nodes|n|"],
    ["OPTIONS", "/api/v1/nodes", "||v1||nodes||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dp", "list||v1||pods|p|"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3D..", "list||v1||pods||"],
    ["GET", "/api/v1", "path get"],
    ["GET", "/apis/apps/v1", "path get"],
    ["GET", "/healthz", "path get"],
    ["GET", "/", "path get"],
    ["GET", "/api/v1/namespaces/a%2Fb/pods", "get||v1|a|b|pods|"],
  ])("%s %s", (method, url, expected) => {
    expect(read(method, url)).toBe(expected);
  });

  test("with a path that can't be decoded is rejected", () => {
    expect(() => requestInfo("GET", "/api/v1/pods/%zz")).toThrow("invalid URL escape in path");
  });
});
