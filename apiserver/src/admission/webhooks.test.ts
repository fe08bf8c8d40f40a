import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { ResourceType } from "../registry/resource.ts";
import type { StatusError } from "../request/status.ts";
import type { Store } from "../storage/store.ts";
import { WebhookClients } from "../webhook/client.ts";
import { WebhookServer } from "../webhook/webhook-server.fixture.ts";
import { attributesOf, configMap, put, resourceType, storeWith } from "./admission.fixture.ts";
import { AdmissionChain } from "./chain.ts";
import type { CompileExpression, ExpressionInput } from "./expressions.ts";
import { Matcher } from "./match.ts";
import { MutatingWebhooks, objectDecoder } from "./mutating-webhooks.ts";
import { ValidatingWebhooks } from "./validating-webhooks.ts";
import type { WebhookCalls } from "./webhook-call.ts";
import { WebhookConfigurations } from "./webhook-configurations.ts";

let server: WebhookServer;
let clients: WebhookClients;
let store: Store;
let respond: Record<string, JsonObject | ((request: JsonObject) => JsonObject)>;
let equivalents: ResourceType[];

/** Expressions of these tests are JavaScript. */
const compile: CompileExpression = (text) => ({
  problem: undefined,
  evaluate: (input: ExpressionInput) => {
    try {
      return { value: new Function("object", "request", `return ${text}`)(input.object, input.request), cost: 1 };
    } catch (error) {
      return { error: (error as Error).message, cost: 1 };
    }
  },
  toJson: (value) => value as Json,
});

/** Adds and removes keys: enough of JSON patches for these tests. */
const patches = {
  isFailedTest: () => false,
  decode: (text: string) => JSON.parse(text) as Json[],
  apply: (document: Json, patch: readonly Json[]) => {
    const copy = JSON.parse(JSON.stringify(document)) as JsonObject;
    for (const operation of patch as { op: string; path: string; value: Json }[]) {
      const parts = operation.path.slice(1).split("/");
      const last = parts.pop() as string;
      let parent: JsonObject = copy;
      for (const part of parts) parent = parent[part] as JsonObject;
      if (operation.op === "remove" && !(last in parent)) throw new Error(`Unable to remove nonexistent key: ${last}`);
      if (operation.op === "remove") delete parent[last];
      else parent[last] = operation.value;
    }
    return copy;
  },
};

function chain(): AdmissionChain {
  const calls: WebhookCalls = {
    clients,
    matcher: new Matcher(store, (type) => (equivalents.includes(type) ? equivalents : [type])),
    decodeJson: JSON.parse,
    uid: () => "uid-1",
  };
  const decode = objectDecoder((apiVersion, kind) => {
    throw new Error(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  });
  const mutating = new WebhookConfigurations(store, "mutatingwebhookconfigurations", compile);
  const validating = new WebhookConfigurations(store, "validatingwebhookconfigurations", compile);
  return new AdmissionChain(
    [new MutatingWebhooks(mutating, calls, patches, decode), new ValidatingWebhooks(validating, calls)],
    [],
    (entries) => (entries.some((entry) => !entry.operation) ? 'invalid operation ""' : undefined),
  );
}

function configure(kind: "mutating" | "validating", name: string, ...webhooks: JsonObject[]): void {
  put(store, `${kind}webhookconfigurations.admissionregistration.k8s.io`, name, {
    metadata: { name },
    webhooks: webhooks.map((webhook) => ({
      name: "v.example.com",
      clientConfig: { url: `${server.url}/v`, caBundle: server.leafBundle },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"], scope: "*" }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 10,
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      ...webhook,
    })),
  });
}

function hook(path: string, changes: JsonObject = {}): JsonObject {
  return {
    name: `${path}.example.com`,
    clientConfig: { url: `${server.url}/${path}`, caBundle: server.leafBundle },
    ...changes,
  };
}

async function failure(
  run: Promise<unknown>,
): Promise<{ code: number; reason: string; message: string; details: unknown }> {
  try {
    await run;
  } catch (error) {
    const { code, reason, message, details } = error as StatusError;
    return { code, reason, message, details };
  }
  throw new Error("the request was allowed");
}

function patchOf(...operations: JsonObject[]): JsonObject {
  return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}

beforeAll(async () => {
  server = await new WebhookServer((path, body) => {
    const review = JSON.parse(body) as { apiVersion: string; request: JsonObject };
    const known = respond[path.slice(1).split("?")[0] as string] ?? {};
    const response = typeof known === "function" ? known(review.request) : known;
    if (typeof response.http === "number")
      return { status: response.http, type: "text/plain", body: "webhook says no" };
    const document = {
      apiVersion: review.apiVersion,
      kind: "AdmissionReview",
      response: { uid: review.request.uid, ...response },
    };
    return { body: JSON.stringify(document) };
  }).listen();
  clients = new WebhookClients({
    now: Date.now,
    userAgent: "kube-apiserver-admission",
    resolveService: () => ({ host: "127.0.0.1", port: server.port }),
  });
});

afterAll(async () => {
  clients.close();
  await server.close();
});

beforeEach(() => {
  store = storeWith({ name: "ns", labels: { "kubernetes.io/metadata.name": "ns" } });
  respond = { v: { allowed: true } };
  equivalents = [];
});

afterEach(() => {
  server.requests.length = 0;
});

const create = () => attributesOf({ object: configMap("a") });

test("a validating webhook receives the request", async () => {
  configure("validating", "x", {});
  await chain().validate(create());
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { group: "", version: "v1", resource: "configmaps" };
  expect(JSON.parse((server.requests[0] as { body: string }).body)).toEqual({
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

test.each(denials)("a refusal %s becomes the error", async (_name, status, expected) => {
  configure("validating", "x", {});
  respond.v = { allowed: false, status };
  const { code, reason, message } = await failure(chain().validate(create()));
  expect({ code, reason, message }).toEqual({
    ...expected,
    message: `admission webhook "v.example.com" ${expected.message}`,
  });
});

test("a refusal keeps the details of its Status", async () => {
  configure("validating", "x", {});
  const details = { kind: "k", causes: [{ field: "a", message: "b", reason: "c" }] };
  respond.v = { allowed: false, status: { message: "m", reason: "Invalid", code: 422, details } };
  expect((await failure(chain().validate(create()))).details).toEqual(details);
});

test("warnings reach the client, also from a webhook that refuses", async () => {
  configure("validating", "x", {});
  respond.v = { allowed: false, warnings: ["careful"] };
  const attributes = create();
  await failure(chain().validate(attributes));
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
  configure("validating", "x", {});
  respond.v = response;
  const problem = `failed calling webhook "v.example.com": ${message}`;
  expect(await failure(chain().validate(create()))).toEqual({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${problem}`,
    details: { causes: [{ message: problem }] },
  });
});

test("failurePolicy Ignore ignores failures, but not refusals", async () => {
  configure("validating", "x", { failurePolicy: "Ignore" });
  respond.v = { http: 500 };
  await chain().validate(create());
  respond.v = { allowed: false, status: { message: "a real no" } };
  expect((await failure(chain().validate(create()))).message).toMatch(/a real no$/);
});

test("dry runs call only webhooks without side effects", async () => {
  configure("validating", "x", { sideEffects: "Unknown" });
  expect(await failure(chain().validate({ ...create(), dryRun: true }))).toMatchObject({
    code: 400,
    reason: "BadRequest",
    message: 'admission webhook "v.example.com" does not support dry run',
  });
  configure("validating", "x", { sideEffects: "NoneOnDryRun" });
  await chain().validate({ ...create(), dryRun: true });
  expect(server.requests).toHaveLength(1);
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
  configure("validating", "x", { rules: [{ ...base, ...rule }] });
  await chain().validate(create());
  expect(server.requests).toHaveLength(called ? 1 : 0);
});

test("selectors of objects match the new or the old object", async () => {
  configure("validating", "x", { objectSelector: { matchLabels: { sel: "yes" } } });
  await chain().validate(create());
  expect(server.requests).toHaveLength(0);
  await chain().validate(attributesOf({ object: configMap("a", {}, { sel: "yes" }) }));
  const update = {
    operation: "UPDATE",
    object: configMap("a"),
    oldObject: configMap("a", {}, { sel: "yes" }),
  } as const;
  await chain().validate(attributesOf(update));
  expect(server.requests).toHaveLength(2);
});

test("selectors of namespaces match their labels", async () => {
  const selector = { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["ns"] }] };
  configure("validating", "x", { namespaceSelector: selector });
  await chain().validate(create());
  expect(server.requests).toHaveLength(0);
  expect(await failure(chain().validate({ ...create(), namespace: "gone" }))).toMatchObject({
    code: 404,
    message: 'namespaces "gone" not found',
  });
});

test("a new namespace is selected by its own labels", async () => {
  const namespaces = resourceType("", "namespaces", "Namespace", { namespaced: false });
  const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["*"] };
  configure("validating", "x", { rules: [rule], namespaceSelector: { matchLabels: { team: "a" } } });
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", labels: { team: "a" } } };
  await chain().validate(attributesOf({ type: namespaces, namespace: "n", object }));
  expect(server.requests).toHaveLength(1);
});

test("match conditions decide, and fail as the failure policy says", async () => {
  configure("validating", "x", { matchConditions: [{ name: "m", expression: "'hit' in object.data" }] });
  await chain().validate(create());
  expect(server.requests).toHaveLength(0);
  await chain().validate(attributesOf({ object: configMap("a", { hit: "1" }) }));
  expect(server.requests).toHaveLength(1);
  configure("validating", "x", { matchConditions: [{ name: "m", expression: "nothing.at.all" }] });
  expect(await failure(chain().validate(create()))).toEqual({
    code: 403,
    reason: "Forbidden",
    message: `configmaps "a" is forbidden: expression 'nothing.at.all' resulted in error: nothing is not defined`,
    details: { kind: "configmaps", name: "a" },
  });
  const ignored = { matchConditions: [{ name: "m", expression: "nothing.at.all" }], failurePolicy: "Ignore" };
  configure("validating", "x", ignored);
  await chain().validate(create());
  expect(server.requests).toHaveLength(1);
});

test("matchPolicy Equivalent converts the object to the version of the rule", async () => {
  const widgets = resourceType("example.com", "widgets", "Widget", { versions: ["v1", "v2"], custom: true });
  equivalents = [widgets];
  const rule = { apiGroups: ["example.com"], apiVersions: ["v2"], resources: ["widgets"], operations: ["*"] };
  configure("validating", "x", { rules: [rule] });
  const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a", namespace: "ns" } };
  await chain().validate(attributesOf({ type: widgets, object }));
  const { request } = JSON.parse((server.requests[0] as { body: string }).body);
  expect(request).toMatchObject({
    kind: { group: "example.com", version: "v2", kind: "Widget" },
    requestKind: { version: "v1" },
    object: { apiVersion: "example.com/v2" },
  });
  configure("validating", "x", { rules: [rule], matchPolicy: "Exact" });
  await chain().validate(attributesOf({ type: widgets, object }));
  expect(server.requests).toHaveLength(1);
});

test("webhooks don't see the configuration of admission", async () => {
  const type = resourceType(
    "admissionregistration.k8s.io",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
  );
  configure("validating", "x", {
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] }],
  });
  await chain().validate(attributesOf({ type, object: { metadata: { name: "x" } } }));
  expect(server.requests).toHaveLength(0);
});

test("v1beta1 reviews go without a check of their UID", async () => {
  configure("validating", "x", { admissionReviewVersions: ["v9", "v1beta1"] });
  respond.v = { uid: "wrong", allowed: true };
  await chain().validate(create());
  expect(server.requests[0]?.body).toContain('"apiVersion":"admission.k8s.io/v1beta1"');
});

test("patches are applied in the order of the configurations' names", async () => {
  configure("mutating", "z", hook("second"));
  configure("mutating", "a", hook("first"));
  respond.first = patchOf({ op: "add", path: "/data/who", value: "first" });
  respond.second = patchOf({ op: "add", path: "/data/who", value: "second" });
  expect(await chain().mutate(create())).toMatchObject({ data: { a: "b", who: "second" } });
});

const badPatches: [string, JsonObject, string][] = [
  ["that can't be applied", patchOf({ op: "remove", path: "/data/none" }), "Unable to remove nonexistent key: none"],
  [
    "of another type",
    { ...patchOf({ op: "add", path: "/data/x", value: "y" }), patchType: "Merge" },
    'failed calling webhook "m.example.com": unsupported patch type "Merge"',
  ],
  [
    "without a type",
    { allowed: true, patch: "W10=" },
    'failed calling webhook "m.example.com": received invalid webhook response: webhook returned response.patch but not response.patchType',
  ],
  [
    "whose result has a wrong type",
    patchOf({ op: "add", path: "/data", value: 5 }),
    "json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string",
  ],
  [
    "that isn't base64",
    { allowed: true, patchType: "JSONPatch", patch: "!" },
    'failed calling webhook "m.example.com": failed to call webhook: illegal base64 data at input byte 0',
  ],
];

test.each(badPatches)("a patch %s fails the request", async (_name, response, message) => {
  configure("mutating", "m", hook("m"));
  respond.m = response;
  expect(await failure(chain().mutate(create()))).toEqual({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
});

test("a patch for a deletion fails the request", async () => {
  configure("mutating", "m", hook("m"));
  respond.m = patchOf({ op: "add", path: "/data/x", value: "y" });
  const request = attributesOf({ operation: "DELETE", object: undefined, oldObject: configMap("a") });
  expect((await failure(chain().mutate(request))).message).toBe(
    'Internal error occurred: admission webhook "m.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

test("webhooks with reinvocationPolicy IfNeeded are called again after a later change", async () => {
  configure("mutating", "m", hook("m1", { reinvocationPolicy: "IfNeeded" }), hook("m2"));
  let calls = 0;
  respond.m1 = () => patchOf({ op: "add", path: "/data/calls", value: String(++calls) });
  respond.m2 = patchOf({ op: "add", path: "/data/m2", value: "x" });
  expect(await chain().mutate(create())).toMatchObject({ data: { calls: "2", m2: "x" } });
  expect(server.requests.map(({ path }) => path.slice(1, 3))).toEqual(["m1", "m2", "m1"]);
});

test("nothing is called again without a later change", async () => {
  configure("mutating", "m", hook("m1", { reinvocationPolicy: "IfNeeded" }), hook("m2"));
  respond.m1 = patchOf({ op: "add", path: "/data/x", value: "y" });
  respond.m2 = { allowed: true };
  await chain().mutate(create());
  expect(server.requests.map(({ path }) => path.slice(1, 3))).toEqual(["m1", "m2"]);
});

test("a webhook that breaks the owners of fields is undone with a warning", async () => {
  configure("mutating", "m", hook("m"));
  respond.m = patchOf({ op: "add", path: "/metadata/managedFields", value: [{}] });
  const attributes = create();
  const object = await chain().mutate(attributes);
  expect(object?.metadata.managedFields).toBeUndefined();
  expect(attributes.warnings[0]).toMatch(
    /^\.metadata\.managedFields was in an invalid state after admission; .*: invalid operation ""$/,
  );
});

test("a patch that changes the kind to an unknown one fails the request", async () => {
  configure("mutating", "m", hook("m"));
  respond.m = patchOf({ op: "replace", path: "/kind", value: "Nothing" });
  expect((await failure(chain().mutate(create()))).message).toContain(
    'no kind "Nothing" is registered for version "v1"',
  );
});

test("the request of the caller stays as it is", async () => {
  configure("mutating", "m", hook("m"));
  respond.m = patchOf({ op: "add", path: "/data/x", value: "y" });
  const attributes = create();
  await chain().mutate(attributes);
  expect(isObject(attributes.object?.data) && attributes.object.data).toEqual({ a: "b" });
});
