import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server.ts";

const exec = "/api/v1/namespaces/default/pods/a/exec?command=sh&command=-c";
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const spec = { containers: [{ name: "c", image: "busybox" }] };
  const path = "/api/v1/namespaces/default/pods";
  await send("POST", path, { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec });
});
afterAll(() => server.stop());

async function send(method: string, url: string, body?: object) {
  const text = body ? { body: JSON.stringify(body) } : {};
  const answer = await server.handle({ method, url, headers: { "content-type": "application/json" }, ...text });
  return JSON.parse(String(answer.body));
}

it("says that there is nothing to connect to", async () => {
  expect(await send("POST", exec)).toMatchObject({
    code: 501,
    message: "pods/exec: the embedded API server runs no containers and has no nodes",
  });
  expect(await send("GET", exec.replace("/a/", "/missing/"))).toMatchObject({ code: 404 });
});

it("lets admission decide first, with the options of the query", async () => {
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
  expect(await send("POST", exec.replace("=sh", "=ls"))).toMatchObject({ code: 501 });
});
