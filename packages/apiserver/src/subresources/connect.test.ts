import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const exec = "/api/v1/namespaces/default/pods/a/exec?command=sh&command=-c";
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const spec = { containers: [{ name: "c", image: "busybox" }] };
  const path = "/api/v1/namespaces/default/pods";
  const pod = (name: string, more: object): Promise<unknown> =>
    send("POST", path, { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { ...spec, ...more } });
  const named = (kind: string, name: string, rest: object): object => ({
    apiVersion: "v1",
    kind,
    metadata: { name },
    ...rest,
  });
  const addresses = [{ type: "InternalIP", address: "10.1.0.1" }];
  await send("POST", "/api/v1/nodes", named("Node", "n", { status: { addresses } }));
  await send("POST", "/api/v1/nodes", named("Node", "bare", {}));
  await pod("a", {});
  await pod("two", { containers: [...spec.containers, { name: "d", image: "busybox" }] });
  await pod("placed", { nodeName: "n" });
  await pod("unreachable", { nodeName: "bare" });
  await pod("lost", { nodeName: "nowhere" });
  for (const name of ["s", "t"]) {
    const service = named("Service", name, { spec: { ports: [{ port: 80 }] } });
    await send("POST", path.replace("pods", "services"), service);
  }
  await pod("ready", {});
  await send("PUT", `${path}/ready/status`, named("Pod", "ready", { spec, status: { podIPs: [{ ip: "10.2.0.1" }] } }));
  const targetRef = { kind: "Pod", namespace: "default", name: "ready" };
  const endpoints = {
    web: { addresses: ["10.2.0.1"], targetRef },
    "no-pod": { addresses: ["10.2.0.1"] },
    "other-ip": { addresses: ["10.2.0.2"], targetRef },
    "other-namespace": { addresses: ["10.2.0.1"], targetRef: { ...targetRef, namespace: "other" } },
    "not-ready": { addresses: ["10.2.0.1"], targetRef, conditions: { ready: false } },
  };
  for (const [name, endpoint] of Object.entries(endpoints)) {
    await send("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name, labels: { "kubernetes.io/service-name": "t" } },
      addressType: "IPv4",
      endpoints: [endpoint],
      ports: [{ name, port: 8080 }],
    });
  }
});
afterAll(() => server.stop());

async function send(method: string, url: string, body?: object) {
  const text = body ? { body: JSON.stringify(body) } : {};
  const answer = await server.handle({ method, url, headers: { "content-type": "application/json" }, ...text });
  return JSON.parse(String(answer.body));
}

const namespace = "/api/v1/namespaces/default";
const unassigned = "pod a does not have a host assigned";
const noAddress = "no preferred addresses found; known addresses: []";

it("returns 501, because the server runs no containers", async () => {
  expect(await send("POST", exec.replace("/a/", "/placed/"))).toMatchObject({
    code: 501,
    message: "pods/exec: the embedded API server runs no containers and has no nodes",
  });
});

it.each([
  ["POST", "pods/a/exec?command=sh", 400, unassigned],
  ["POST", "pods/missing/exec", 404, 'pods "missing" not found'],
  ["GET", "pods/a/attach?container=x", 400, "container x is not valid for pod a"],
  ["POST", "pods/two/attach", 400, "a container name must be specified for pod two, choose one of: [c d]"],
  ["POST", "pods/lost/attach", 404, 'pods "nowhere" not found'],
  ["POST", "pods/unreachable/exec", 500, noAddress],
  ["POST", "pods/a/portforward?ports=80", 400, unassigned],
  [
    "POST",
    "pods/a/portforward?ports=x",
    400,
    'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
  ],
  ["GET", "pods/a/proxy/x", 400, "address not allowed"],
  ["HEAD", "pods/a/proxy/x", 400, "address not allowed"],
  ["OPTIONS", "pods/a/proxy/x", 400, "address not allowed"],
  ["GET", "pods/https:a:80/proxy/x", 400, "address not allowed"],
  ["GET", "pods/ftp:a:80/proxy/x", 400, 'invalid pod request "ftp:a:80"'],
  ["GET", "pods/missing:80/proxy/x", 404, 'pods "missing" not found'],
  ["GET", "services/s/proxy/", 503, 'no endpoints available for service "s"'],
  ["GET", "services/s:81/proxy/", 503, 'no service port 81 found for service "s"'],
  ["GET", "services/t:80/proxy/", 503, 'no endpoints available for service "t"'],
  ["GET", "services/t:web/proxy/", 501, "services/proxy: the embedded API server runs no containers and has no nodes"],
  ["GET", "services/t:no-pod/proxy/", 503, 'no endpoints available for service "t"'],
  ["GET", "services/t:other-ip/proxy/", 503, 'no endpoints available for service "t"'],
  ["GET", "services/t:other-namespace/proxy/", 503, 'no endpoints available for service "t"'],
  ["GET", "services/t:not-ready/proxy/", 503, 'no endpoints available for service "t"'],
  ["GET", "services/a:b:c:d/proxy/", 400, 'invalid service request "a:b:c:d"'],
])("%s %s: %d", async (method, path, code, message) => {
  expect(await send(method, `${namespace}/${path}`)).toMatchObject({ code, message });
});

it.each([
  ["none", 404, 'nodes "none" not found'],
  ["bare:10250", 500, noAddress],
  ["n", 501, "nodes/proxy: the embedded API server runs no containers and has no nodes"],
])("GET nodes/%s/proxy: %d", async (name, code, message) => {
  expect(await send("GET", `/api/v1/nodes/${name}/proxy/metrics`)).toMatchObject({ code, message });
});

it.each([
  ["a/log", 204, ""],
  ["a/log?follow=true&container=c", 204, ""],
  ["missing/log", 404, 'pods "missing" not found'],
  ["two/log", 400, "a container name must be specified for pod two, choose one of: [c d]"],
  ["unreachable/log", 500, noAddress],
  ["placed/log", 501, "pods/log: the embedded API server runs no containers and has no nodes"],
  [
    "a/log?tailLines=-1&limitBytes=0&sinceSeconds=0",
    422,
    'PodLogOptions "a" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
  ],
  [
    "a/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z",
    422,
    'PodLogOptions "a" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  ],
  ["a/log?stream=All", 422, 'PodLogOptions "a" is invalid: stream: Forbidden: may not be specified'],
  ["a/log?tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ["a/log?sinceTime=x", 400, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
])("GET pods/%s: %d", async (path, status, message) => {
  const answer = await server.handle({ method: "GET", url: `${namespace}/pods/${path}`, headers: {} });
  expect(answer.status).toBe(status);
  if (status !== 204) expect(JSON.parse(String(answer.body)).message).toBe(message);
});

it("first calls admission with the options of the query", async () => {
  const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
  const apiVersion = "admissionregistration.k8s.io/v1";
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CONNECT"], resources: ["pods/exec"] };
  await send("POST", `${path}ies`, {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "no-shell" },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.command[0] != 'sh'", message: "no shells" }],
    },
  });
  await send("POST", `${path}ybindings`, {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "no-shell" },
    spec: { policyName: "no-shell", validationActions: ["Deny"] },
  });
  expect(await send("POST", exec)).toMatchObject({ code: 422, message: expect.stringContaining("no shells") });
  expect(await send("POST", exec.replace("=sh", "=ls"))).toMatchObject({ code: 400, message: unassigned });
});

it.each([
  [["get"], 'pods "a" is forbidden: '],
  [["get", "create"], "pod a does not have a host assigned"],
])("a connection by GET with the permissions %j: %s", async (verbs, message) => {
  const secured = await startApiServer({ http: false, authorization: "rbac" });
  const as = async (user: { name: string; groups: string[] }, method: string, url: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const request = { method, url, headers, user, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return JSON.parse(String((await secured.handle(request)).body));
  };
  const admin = { name: "root", groups: ["system:masters", "system:authenticated"] };
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
  const subjects = [{ kind: "User", name: "u" }];
  const rules = [{ apiGroups: [""], resources: ["pods/exec", "pods/attach", "pods/portforward"], verbs }];
  await as(admin, "POST", `${rbac}/clusterroles`, { metadata: { name: "r" }, rules });
  await as(admin, "POST", `${rbac}/clusterrolebindings`, { metadata: { name: "r" }, subjects, roleRef });
  const pods = "/api/v1/namespaces/default/pods";
  await as(admin, "POST", pods, { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "i" }] } });
  for (const subresource of ["exec", "attach", "portforward"]) {
    const answer = await as({ name: "u", groups: ["system:authenticated"] }, "GET", `${pods}/a/${subresource}`);
    expect(answer.message).toContain(message);
  }
  await secured.stop();
});
