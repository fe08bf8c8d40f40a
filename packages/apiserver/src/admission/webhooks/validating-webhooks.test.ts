import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { attributesOf, configMap, resourceType } from "../admission.fixture.ts";
import { create, failure, WebhookBench } from "./webhooks.fixture.ts";

const bench = new WebhookBench();

beforeAll(() => bench.server.listen());
beforeEach(() => bench.reset());
afterAll(() => bench.close());

test("a validating webhook receives the request", async () => {
  bench.configure("validating", "x", {});
  await bench.chain().validate(create());
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { group: "", version: "v1", resource: "configmaps" };
  expect(JSON.parse((bench.server.requests[0] as { body: string }).body)).toEqual({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "uid-1",
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: "a",
      namespace: "ns",
      operation: "CREATE",
      userInfo: { username: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] },
      object: configMap("a"),
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    },
  });
});

const denials: [string, JsonObject, { code: number; reason: string; message: string }][] = [
  ["without a message", {}, { code: 400, reason: "", message: "denied the request without explanation" }],
  ["with a message", { message: "because" }, { code: 400, reason: "", message: "denied the request: because" }],
  ["with a reason", { reason: "Teapot" }, { code: 400, reason: "Teapot", message: "denied the request: Teapot" }],
  ["with a code", { code: 418, message: "m" }, { code: 418, reason: "", message: "denied the request: m" }],
  ["with a code of success", { code: 200, message: "m" }, { code: 400, reason: "", message: "denied the request: m" }],
];

test.each(denials)("a rejection %s becomes the error", async (_name, status, expected) => {
  bench.configure("validating", "x", {});
  bench.respond.v = { allowed: false, status };
  const { code, reason, message } = await failure(bench.chain().validate(create()));
  expect({ code, reason, message }).toEqual({
    ...expected,
    message: `admission webhook "v.example.com" ${expected.message}`,
  });
});

test("a rejection keeps the details of its Status", async () => {
  bench.configure("validating", "x", {});
  const details = { kind: "k", causes: [{ field: "a", message: "b", reason: "c" }] };
  bench.respond.v = { allowed: false, status: { message: "m", reason: "Invalid", code: 422, details } };
  expect((await failure(bench.chain().validate(create()))).details).toEqual(details);
});

test("warnings reach the client, also if the webhook rejects the request", async () => {
  bench.configure("validating", "x", {});
  bench.respond.v = { allowed: false, warnings: ["careful"] };
  const attributes = create();
  await failure(bench.chain().validate(attributes));
  expect(attributes.warnings).toEqual(["careful"]);
});

const failures: [string, JsonObject, string][] = [
  [
    "an HTTP error",
    { http: 500 },
    'failed to call webhook: an error on the server ("webhook says no") has prevented the request from succeeding',
  ],
  [
    "another UID",
    { uid: "wrong", allowed: true },
    'received invalid webhook response: expected response.uid="uid-1", got "wrong"',
  ],
  [
    "a patch",
    { allowed: true, patch: "e30=" },
    "received invalid webhook response: validating webhook may not return response.patch",
  ],
  [
    "a field of the wrong type",
    { allowed: "yes" },
    "failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
  ],
];

test.each(failures)("%s fails the request", async (_name, response, message) => {
  bench.configure("validating", "x", {});
  bench.respond.v = response;
  const problem = `failed calling webhook "v.example.com": ${message}`;
  expect(await failure(bench.chain().validate(create()))).toEqual({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${problem}`,
    details: { causes: [{ message: problem }] },
  });
});

test("failurePolicy Ignore ignores failures, but not rejections", async () => {
  bench.configure("validating", "x", { failurePolicy: "Ignore" });
  bench.respond.v = { http: 500 };
  await bench.chain().validate(create());
  bench.respond.v = { allowed: false, status: { message: "a real no" } };
  expect((await failure(bench.chain().validate(create()))).message).toMatch(/a real no$/);
});

test("dry runs call only webhooks without side effects", async () => {
  bench.configure("validating", "x", { sideEffects: "Unknown" });
  expect(await failure(bench.chain().validate({ ...create(), dryRun: true }))).toMatchObject({
    code: 400,
    reason: "BadRequest",
    message: 'admission webhook "v.example.com" does not support dry run',
  });
  bench.configure("validating", "x", { sideEffects: "NoneOnDryRun" });
  await bench.chain().validate({ ...create(), dryRun: true });
  expect(bench.server.requests).toHaveLength(1);
});

const rules: [string, JsonObject, boolean][] = [
  ["another operation", { operations: ["DELETE"] }, false],
  ["another group", { apiGroups: ["apps"] }, false],
  ["another version", { apiVersions: ["v2"] }, false],
  ["all groups, versions and resources", { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }, true],
  ["all subresources", { resources: ["configmaps/*"] }, true],
  ["another subresource", { resources: ["configmaps/status"] }, false],
  ["objects of the cluster", { scope: "Cluster" }, false],
  ["objects in namespaces", { scope: "Namespaced" }, true],
];

test.each(rules)("a rule for %s", async (_name, rule, called) => {
  const base = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] };
  bench.configure("validating", "x", { rules: [{ ...base, ...rule }] });
  await bench.chain().validate(create());
  expect(bench.server.requests).toHaveLength(called ? 1 : 0);
});

test("webhooks don't see reviews of access", async () => {
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }];
  bench.configure("mutating", "x", { rules });
  bench.configure("validating", "x", { rules });
  const send = async (resource: string, kind: string): Promise<void> => {
    const type = resourceType("authorization.k8s.io", resource, kind, { namespaced: false });
    const object = { apiVersion: "authorization.k8s.io/v1", kind, metadata: { name: "" } };
    await bench.chain().mutate(attributesOf({ type, namespace: "", object }));
    await bench.chain().validate(attributesOf({ type, namespace: "", object }));
  };
  await send("others", "Other");
  expect(bench.server.requests).toHaveLength(2);
  await send("subjectaccessreviews", "SubjectAccessReview");
  expect(bench.server.requests).toHaveLength(2);
});

test("an objectSelector matches the new or the old object", async () => {
  bench.configure("validating", "x", { objectSelector: { matchLabels: { sel: "yes" } } });
  await bench.chain().validate(create());
  expect(bench.server.requests).toHaveLength(0);
  await bench.chain().validate(attributesOf({ object: configMap("a", {}, { sel: "yes" }) }));
  const update = {
    operation: "UPDATE",
    object: configMap("a"),
    oldObject: configMap("a", {}, { sel: "yes" }),
  } as const;
  await bench.chain().validate(attributesOf(update));
  expect(bench.server.requests).toHaveLength(2);
});

test("a namespaceSelector matches the labels of the namespace", async () => {
  const selector = { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["ns"] }] };
  bench.configure("validating", "x", { namespaceSelector: selector });
  await bench.chain().validate(create());
  expect(bench.server.requests).toHaveLength(0);
  expect(await failure(bench.chain().validate({ ...create(), namespace: "gone" }))).toMatchObject({
    code: 404,
    message: 'namespaces "gone" not found',
  });
});

test("a namespaceSelector matches a new namespace by its own labels", async () => {
  const namespaces = resourceType("", "namespaces", "Namespace", { namespaced: false });
  const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["*"] };
  bench.configure("validating", "x", { rules: [rule], namespaceSelector: { matchLabels: { team: "a" } } });
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", labels: { team: "a" } } };
  await bench.chain().validate(attributesOf({ type: namespaces, namespace: "n", object }));
  expect(bench.server.requests).toHaveLength(1);
});

test("match conditions restrict the calls, and failurePolicy applies to their errors", async () => {
  bench.configure("validating", "x", { matchConditions: [{ name: "m", expression: "'hit' in object.data" }] });
  await bench.chain().validate(create());
  expect(bench.server.requests).toHaveLength(0);
  await bench.chain().validate(attributesOf({ object: configMap("a", { hit: "1" }) }));
  expect(bench.server.requests).toHaveLength(1);
  bench.configure("validating", "x", { matchConditions: [{ name: "m", expression: "nothing.at.all" }] });
  expect(await failure(bench.chain().validate(create()))).toEqual({
    code: 403,
    reason: "Forbidden",
    message: `configmaps "a" is forbidden: expression 'nothing.at.all' resulted in error: nothing is not defined`,
    details: { kind: "configmaps", name: "a" },
  });
  const ignored = { matchConditions: [{ name: "m", expression: "nothing.at.all" }], failurePolicy: "Ignore" };
  bench.configure("validating", "x", ignored);
  await bench.chain().validate(create());
  expect(bench.server.requests).toHaveLength(1);
});

test("matchPolicy Equivalent converts the object to the version of the rule", async () => {
  const widgets = resourceType("example.com", "widgets", "Widget", { versions: ["v1", "v2"], custom: true });
  bench.equivalents = [widgets];
  const rule = { apiGroups: ["example.com"], apiVersions: ["v2"], resources: ["widgets"], operations: ["*"] };
  bench.configure("validating", "x", { rules: [rule] });
  const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a", namespace: "ns" } };
  await bench.chain().validate(attributesOf({ type: widgets, object }));
  const { request } = JSON.parse((bench.server.requests[0] as { body: string }).body);
  expect(request).toMatchObject({
    kind: { group: "example.com", version: "v2", kind: "Widget" },
    requestKind: { version: "v1" },
    object: { apiVersion: "example.com/v2" },
  });
  bench.configure("validating", "x", { rules: [rule], matchPolicy: "Exact" });
  await bench.chain().validate(attributesOf({ type: widgets, object }));
  expect(bench.server.requests).toHaveLength(1);
});

test("webhooks aren't called for webhook configurations", async () => {
  const type = resourceType(
    "admissionregistration.k8s.io",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
  );
  bench.configure("validating", "x", {
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] }],
  });
  await bench.chain().validate(attributesOf({ type, object: { metadata: { name: "x" } } }));
  expect(bench.server.requests).toHaveLength(0);
});

test("the UID of a v1beta1 response isn't checked", async () => {
  bench.configure("validating", "x", { admissionReviewVersions: ["v9", "v1beta1"] });
  bench.respond.v = { uid: "wrong", allowed: true };
  await bench.chain().validate(create());
  expect(bench.server.requests[0]?.body).toContain('"apiVersion":"admission.k8s.io/v1beta1"');
});
