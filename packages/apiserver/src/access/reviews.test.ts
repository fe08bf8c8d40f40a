import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import type { ApiObject } from "../model/resource.ts";
import type { StatusError } from "../model/status.ts";
import type { Scope, VirtualCreate } from "../registry/scope.ts";
import { Store } from "../storage/store.ts";
import { accessReviews } from "./access-reviews.ts";
import { RbacAuthorizer } from "./rbac.ts";
import { authenticationReviews } from "./token-reviews.ts";
import type { BearerTokens } from "./tokens.ts";

const group = "rbac.authorization.k8s.io";
const store = new Store({ now: () => 0 });
const put = (resource: string, name: string, object: JsonObject): void => {
  const text = JSON.stringify({ metadata: { name }, ...object });
  store.put(store.collection(`${resource}.${group}`), name, () => text);
};
const rules = [
  { apiGroups: [""], resources: ["pods"], verbs: ["get"], resourceNames: ["a"] },
  { nonResourceURLs: ["/version"], verbs: ["get"] },
];
put("clusterroles", "r", { rules });
put("clusterrolebindings", "b", {
  roleRef: { kind: "ClusterRole", name: "r" },
  subjects: [{ kind: "User", name: "alice" }],
});
const rbac = new RbacAuthorizer(store);
const access = accessReviews(rbac, rbac);
const scope = {
  user: { name: "alice", uid: "u", groups: ["system:authenticated"] },
  apiVersion: "authentication.k8s.io/v1",
  engine: { now: () => 0 },
} as unknown as Scope;

function run(review: string, spec: JsonObject, metadata: JsonObject = {}): Promise<ApiObject> {
  const create = access.get(`authorization.k8s.io/${review}`) as VirtualCreate;
  return create(scope, { metadata, spec }, async () => undefined);
}

async function message(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "no error",
    (error: StatusError) => error.message,
  );
}

test("a SubjectAccessReview returns the decision and its reason", async () => {
  const attributes = { verb: "get", resource: "pods", name: "a" };
  expect((await run("subjectaccessreviews", { user: "alice", resourceAttributes: attributes })).status).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "alice"',
  });
  expect((await run("subjectaccessreviews", { user: "bob", resourceAttributes: attributes })).status).toEqual({
    allowed: false,
  });
});

test("a SelfSubjectAccessReview is about the user of the request", async () => {
  const spec = { nonResourceAttributes: { path: "/version", verb: "get" } };
  expect((await run("selfsubjectaccessreviews", spec)).status).toMatchObject({ allowed: true });
});

const invalid: [string, string, JsonObject, JsonObject, string][] = [
  [
    "without attributes and user",
    "subjectaccessreviews",
    {},
    {},
    '[spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
  ],
  [
    "with both attributes",
    "selfsubjectaccessreviews",
    { resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/" } },
    {},
    'spec: Invalid value: {"Path":"/","Verb":""}: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    "with metadata",
    "selfsubjectaccessreviews",
    { resourceAttributes: { verb: "get" } },
    { name: "x", managedFields: [{ apiVersion: "v1", manager: "m", time: "t", operation: "Update" }] },
    'metadata: Invalid value: {"name":"x","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"t"}]}: must be empty',
  ],
  [
    "in another namespace",
    "localsubjectaccessreviews",
    { user: "alice", resourceAttributes: { verb: "list" } },
    { namespace: "default" },
    'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
  ],
  [
    "for paths in a namespace",
    "localsubjectaccessreviews",
    { user: "alice", nonResourceAttributes: { path: "/x", verb: "list" } },
    { namespace: "default" },
    'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"list"}: disallowed on this kind of request',
  ],
  [
    "with an empty selector and one that is given twice",
    "selfsubjectaccessreviews",
    {
      resourceAttributes: {
        labelSelector: { rawSelector: "a=b", requirements: [{ key: "a", operator: "X" }] },
        fieldSelector: {},
      },
    },
    {},
    '[spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required, spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements]',
  ],
];

test.each(invalid)("an access review %s is invalid", async (_name, review, spec, metadata, problem) => {
  expect(await message(run(review, spec, metadata))).toBe(`.authorization.k8s.io "" is invalid: ${problem}`);
});

test("selectors that can't be parsed are ignored", async () => {
  const spec = { resourceAttributes: { verb: "list", labelSelector: { rawSelector: "a b" } } };
  expect((await run("selfsubjectaccessreviews", spec)).status).toEqual({
    allowed: false,
    evaluationError: "spec.resourceAttributes.labelSelector ignored due to parse error",
  });
});

test("a SelfSubjectRulesReview lists the rules of the user", async () => {
  expect(await run("selfsubjectrulesreviews", { namespace: "ns" })).toEqual({
    kind: "SelfSubjectRulesReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec: {},
    status: {
      resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["a"] }],
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/version"] }],
      incomplete: false,
    },
  });
  expect(await message(run("selfsubjectrulesreviews", {}))).toBe("no namespace on request");
});

const tokens = {
  review: (token: string, audiences?: readonly string[]) =>
    token === "good"
      ? { user: { name: "bob", groups: [] }, audiences: [...(audiences ?? ["api"])] }
      : { problem: "bad" },
} as unknown as BearerTokens;
const authentication = authenticationReviews(tokens);

function runAuthentication(review: string, object: ApiObject): Promise<ApiObject> {
  const create = authentication.get(`authentication.k8s.io/${review}`) as VirtualCreate;
  return create(scope, object, async () => undefined);
}

test("a TokenReview returns the user of the token, or an error", async () => {
  const review = (spec: JsonObject) => runAuthentication("tokenreviews", { metadata: {}, spec });
  expect((await review({ token: "good", audiences: ["x"] })).status).toEqual({
    authenticated: true,
    user: { username: "bob" },
    audiences: ["x"],
  });
  expect((await review({ token: "wrong" })).status).toEqual({ user: {}, error: "bad" });
  expect(await message(review({}))).toBe("token is required for TokenReview in authentication");
});

test("a SelfSubjectReview returns the user and ignores the object in the request", async () => {
  expect(await runAuthentication("selfsubjectreviews", { metadata: { name: "x" } })).toEqual({
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: "1970-01-01T00:00:00Z" },
    status: { userInfo: { username: "alice", uid: "u", groups: ["system:authenticated"] } },
  });
});
