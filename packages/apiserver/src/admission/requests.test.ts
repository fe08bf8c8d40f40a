// Checks the requests that policies see.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
let server: ApiServer;

async function send(method: string, url: string, body?: object, type = "application/json") {
  const request = { method, url, headers: { "content-type": type } };
  const answer = await server.handle(body === undefined ? request : { ...request, body: JSON.stringify(body) });
  expect(answer.status, String(answer.body)).toBeLessThan(300);
  const warnings = ([] as string[]).concat(answer.headers.warning ?? []);
  return warnings.map((text) => /: ([^:]*)"$/.exec(text)?.[1]);
}

/** Creates a policy that warns of all requests that match, with the text of an expression. */
async function warn(messageExpression: string, apiGroup = "*", apiVersion = "*", resource = "*/*"): Promise<void> {
  const rule = { operations: ["*"], apiGroups: [apiGroup], apiVersions: [apiVersion], resources: [resource] };
  const spec = {
    matchConstraints: { matchPolicy: "Equivalent", resourceRules: [rule] },
    validations: [{ expression: "false", messageExpression }],
  };
  const binding = { policyName: "a", validationActions: ["Warn"] };
  await send("POST", `${group}/validatingadmissionpolicies`, { metadata: { name: "a" }, spec });
  await send("POST", `${group}/validatingadmissionpolicybindings`, { metadata: { name: "a" }, spec: binding });
}

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterEach(() => server.stop());

test("the deletion of a collection returns the warnings for its objects, without their names", async () => {
  await send("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "c" } });
  await warn('has(request.name) ? request.name : oldObject.metadata.name + " without a name"');
  expect(await send("DELETE", "/api/v1/namespaces/default/configmaps")).toEqual(["c without a name"]);
});

test("a new namespace is in itself", async () => {
  await warn('request.name + " in " + request.namespace');
  expect(await send("POST", "/api/v1/namespaces", { metadata: { name: "n" } })).toEqual(["n in n"]);
});

test("policies see configurations of webhooks, but not policies and reviews", async () => {
  await warn("request.kind.kind");
  const webhooks = `${group}/validatingwebhookconfigurations`;
  expect(await send("POST", webhooks, { metadata: { name: "w" } })).toEqual(["ValidatingWebhookConfiguration"]);
  expect(await send("DELETE", `${group}/validatingadmissionpolicies/a`)).toEqual([]);
  expect(await send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {})).toEqual([]);
});

test("policies see a deleted object in the version of the request", async () => {
  const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } };
  const url = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
  await send("POST", url, { metadata: { name: "h" }, spec });
  await warn("string(oldObject.apiVersion)");
  expect(await send("DELETE", `${url}/h`)).toEqual(["autoscaling/v1"]);
});

test("policies for events of one group see those of the other", async () => {
  await warn('object.kind + " in " + object.involvedObject.namespace + " with " + object.message', "", "v1", "events");
  const event = {
    metadata: { name: "e" },
    regarding: { namespace: "default" },
    note: "a note",
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "a.io/c",
    reportingInstance: "i",
    action: "A",
    reason: "R",
    type: "Normal",
  };
  const warnings = await send("POST", "/apis/events.k8s.io/v1/namespaces/default/events", event);
  expect(warnings).toEqual(["Event in default with a note"]);
});

test("policies for another version of a custom resource see its scale", async () => {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const version = { served: true, schema, subresources: { scale } };
  const names = { plural: "pandas", singular: "panda", kind: "Panda", listKind: "PandaList" };
  const versions = [
    { name: "v1", storage: true, ...version },
    { name: "v3", storage: false, ...version },
  ];
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "pandas.a.io" },
    spec: { group: "a.io", names, scope: "Namespaced", versions },
  };
  await server.stop();
  server = await startApiServer({ http: false, authorization: "always-allow", crds: [crd] });
  const url = "/apis/a.io/v3/namespaces/default/pandas";
  await send("POST", url, { apiVersion: "a.io/v3", kind: "Panda", metadata: { name: "p" }, spec: { replicas: 1 } });
  await warn('object.apiVersion + " with " + string(object.spec.replicas)', "a.io", "v1", "pandas/scale");
  const patch = { spec: { replicas: 2 } };
  expect(await send("PATCH", `${url}/p/scale`, patch, "application/merge-patch+json")).toEqual([
    "autoscaling/v1 with 2",
  ]);
});
