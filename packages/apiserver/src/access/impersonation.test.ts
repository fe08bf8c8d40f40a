import { beforeEach, expect, test } from "vitest";
import { type AccessRequest, type Authorizer, alwaysAllow } from "../model/authorizer.ts";
import type { ApiRequest, UserInfo } from "../model/request.ts";
import type { StatusError } from "../model/status.ts";
import { Impersonation } from "./impersonation.ts";

const bob: UserInfo = { name: "bob", groups: ["system:authenticated"] };
let allowed: (access: AccessRequest) => boolean;
const authorizer: Authorizer = { authorize: (access) => ({ allowed: allowed(access), reason: "" }) };
let impersonation: Impersonation;

beforeEach(() => {
  allowed = () => false;
  impersonation = new Impersonation(authorizer);
});

function listPods(user = bob): AccessRequest {
  const target = { group: "", version: "v1", resource: "pods", subresource: "", namespace: "", name: "" };
  return { user, verb: "list", isResource: true, path: "/api/v1/pods", ...target };
}

function run(headers: ApiRequest["headers"], user = bob): UserInfo {
  return impersonation.userOf({ method: "GET", url: "/api/v1/pods", headers }, listPods(user));
}

function refusal(headers: ApiRequest["headers"], user = bob): string {
  try {
    run(headers, user);
  } catch (error) {
    return (error as StatusError).message;
  }
  throw new Error("the request was allowed");
}

test("without header fields, the user stays the same", () => {
  expect(run({})).toBe(bob);
  expect(run({ "impersonate-user": "" })).toBe(bob);
});

test("groups and extra fields are rejected without a user name", () => {
  expect(refusal({ "impersonate-group": "g" })).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
  );
  expect(refusal({ "impersonate-extra-b": "v", "impersonate-extra-a": "v" })).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"v"}, "b":[]string{"v"}}} without impersonating a user name',
  );
});

const everything = (headers: ApiRequest["headers"]): UserInfo => {
  impersonation = new Impersonation(alwaysAllow);
  return run(headers);
};

test("all fields of the user can be set", () => {
  expect(
    everything({
      "impersonate-user": "alice",
      "impersonate-uid": "u1",
      "impersonate-group": ["a,b", "c"],
      "impersonate-extra-foo%2fbar": "v, w",
    }),
  ).toEqual({
    name: "alice",
    uid: "u1",
    groups: ["a,b", "c", "system:authenticated"],
    extra: { "foo/bar": ["v", "w"] },
  });
});

test("an impersonated service account is in the groups of service accounts", () => {
  expect(everything({ "impersonate-user": "system:serviceaccount:ns:sa" }).groups).toEqual([
    "system:serviceaccounts",
    "system:serviceaccounts:ns",
    "system:authenticated",
  ]);
});

test("an impersonated node is in the group system:nodes", () => {
  expect(everything({ "impersonate-user": "system:node:n1" }).groups).toEqual(["system:nodes", "system:authenticated"]);
});

test("the anonymous user and members of system:unauthenticated aren't authenticated", () => {
  expect(everything({ "impersonate-user": "system:anonymous" }).groups).toEqual(["system:unauthenticated"]);
  const headers = { "impersonate-user": "alice", "impersonate-group": "system:unauthenticated" };
  expect(everything(headers).groups).toEqual(["system:unauthenticated"]);
});

const refusals: [string, string, string][] = [
  ["a user", "alice", "impersonate-on:user-info:list"],
  ["a node", "system:node:n1", "impersonate-on:arbitrary-node:list"],
  ["a service account", "system:serviceaccount:ns:sa", "impersonate-on:serviceaccount:list"],
];

test.each(refusals)("a rejection for %s names the verb of its mode", (_name, user, verb) => {
  expect(refusal({ "impersonate-user": user })).toBe(
    `pods is forbidden: User "bob" cannot ${verb} resource "pods" in API group "" at the cluster scope`,
  );
});

test("a service account with other groups needs the legacy verb impersonate", () => {
  expect(refusal({ "impersonate-user": "system:serviceaccount:ns:sa", "impersonate-group": "x" })).toBe(
    'serviceaccounts "sa" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
  );
});

test("the legacy verb suffices, and a user who has it gets its rejection", () => {
  allowed = ({ verb, resource }) => verb === "impersonate" && resource === "users";
  expect(run({ "impersonate-user": "alice" }).name).toBe("alice");
  expect(refusal({ "impersonate-user": "alice", "impersonate-group": "x" })).toBe(
    'groups "x" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
  );
});

test("the verbs of a mode allow only that mode, for one verb of the request", () => {
  const verbs = ["impersonate:user-info", "impersonate-on:user-info:list"];
  allowed = ({ verb, group }) => verbs.includes(verb) && (group === "authentication.k8s.io" || verb.includes("-on:"));
  expect(run({ "impersonate-user": "alice", "impersonate-group": "x" }).groups).toEqual(["x", "system:authenticated"]);
  expect(refusal({ "impersonate-user": "alice", "impersonate-group": "system:masters" })).toBe(
    'groups.authentication.k8s.io "system:masters" is forbidden: User "bob" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
  );
});

test("a service account may act as the node of its Pod", () => {
  const extra = { "authentication.kubernetes.io/node-name": ["n1"] };
  const agent = { name: "system:serviceaccount:ns:agent", groups: [], extra };
  allowed = ({ verb, resource, name }) =>
    verb === "impersonate-on:associated-node:list" ||
    (verb === "impersonate:associated-node" && resource === "nodes" && name === "*");
  expect(run({ "impersonate-user": "system:node:n1" }, agent).name).toBe("system:node:n1");
  expect(refusal({ "impersonate-user": "system:node:n2" }, agent)).toContain("impersonate-on:arbitrary-node:list");
});
