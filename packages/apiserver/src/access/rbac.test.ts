import { readFileSync } from "node:fs";
import type { JsonObject } from "@kubewright/cel/json";
import { beforeEach, expect, test } from "vitest";
import type { AccessRequest } from "../model/authorizer.ts";
import type { UserInfo } from "../model/request.ts";
import type { StrategyContext } from "../model/resource.ts";
import type { StatusError } from "../model/status.ts";
import { Store } from "../storage/store.ts";
import { aggregateClusterRoles } from "./aggregation.ts";
import { createBootstrapRoles } from "./bootstrap.ts";
import { escalationRules } from "./escalation.ts";
import { RbacAuthorizer } from "./rbac.ts";

const group = "rbac.authorization.k8s.io";
const data = JSON.parse(
  readFileSync(new URL("../../data/1.37/rbac-bootstrap.json", import.meta.url), "utf8"),
) as JsonObject[];
const time = "2026-01-02T03:04:05Z";
const alice: UserInfo = { name: "alice", groups: ["system:authenticated"] };
const admin: UserInfo = { name: "admin", groups: ["system:masters"] };
let store: Store;
let rbac: RbacAuthorizer;

beforeEach(() => {
  store = new Store({ now: () => 0 });
  rbac = new RbacAuthorizer(store);
});

function bootstrap(): void {
  let id = 0;
  createBootstrapRoles(store, data, time, () => `uid-${++id}`);
}

function put(resource: string, name: string, content: JsonObject, namespace?: string): void {
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), ...(content.metadata as JsonObject) };
  store.put(store.collection(`${resource}.${group}`), key, () => JSON.stringify({ ...content, metadata }));
}

function bind(resource: string, name: string, role: [string, string], subject: JsonObject, namespace?: string): void {
  const roleRef = { apiGroup: group, kind: role[0], name: role[1] };
  put(resource, name, { roleRef, subjects: [subject] }, namespace);
}

function access(changes: Partial<AccessRequest>): AccessRequest {
  const base = { user: alice, verb: "get", isResource: true, path: "", group: "", version: "v1" };
  return { ...base, resource: "pods", subresource: "", namespace: "ns", name: "", ...changes };
}

function stored(resource: string, key: string): JsonObject {
  return JSON.parse(store.collection(`${resource}.${group}`).get(key)?.text ?? "null") as JsonObject;
}

test("bootstrap creates the 141 roles and bindings of the real server", () => {
  bootstrap();
  const sizes = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(
    (resource) => store.collection(`${resource}.${group}`).size,
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBe(141);
  expect(stored("clusterroles", "cluster-admin")).toMatchObject({
    metadata: {
      labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
      creationTimestamp: time,
      managedFields: [
        {
          manager: "kube-apiserver",
          fieldsV1: {
            "f:metadata": {
              "f:annotations": { ".": {}, "f:rbac.authorization.kubernetes.io/autoupdate": {} },
              "f:labels": { ".": {}, "f:kubernetes.io/bootstrapping": {} },
            },
            "f:rules": {},
          },
        },
      ],
    },
  });
  expect(stored("clusterroles", "edit").rules).toBeNull();
  expect(stored("clusterrolebindings", "system:node").subjects).toBeUndefined();
});

test("bootstrap keeps objects that exist", () => {
  put("clusterroles", "view", { rules: [] });
  bootstrap();
  expect(stored("clusterroles", "view")).toEqual({ rules: [], metadata: { name: "view" } });
});

test("members of system:masters may do everything", () => {
  expect(rbac.authorize(access({ user: admin }))).toEqual({ allowed: true, reason: "" });
});

test("the reason names the binding, the role and the subject", () => {
  bootstrap();
  const path = { isResource: false, path: "/version", namespace: "", resource: "" };
  expect(rbac.authorize(access(path)).reason).toMatch(
    /^RBAC: allowed by ClusterRoleBinding "system:(discovery|public-info-viewer)" of ClusterRole "system:\S+" to Group "system:authenticated"$/,
  );
  put("roles", "r", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }, "ns");
  bind("rolebindings", "b", ["Role", "r"], { kind: "ServiceAccount", name: "sa" }, "ns");
  const user = { name: "system:serviceaccount:ns:sa", groups: [] };
  expect(rbac.authorize(access({ user })).reason).toBe(
    'RBAC: allowed by RoleBinding "b/ns" of Role "r" to ServiceAccount "sa/ns"',
  );
});

test("a rejection names roles that bindings refer to and that don't exist", () => {
  bind("clusterrolebindings", "b", ["ClusterRole", "none"], { kind: "User", name: "alice" });
  expect(rbac.authorize(access({}))).toEqual({
    allowed: false,
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "none" not found',
  });
});

const matching: [string, JsonObject, Partial<AccessRequest>, boolean][] = [
  ["a subresource of the resource", { resources: ["pods/log"] }, { subresource: "log" }, true],
  ["a subresource of any resource", { resources: ["*/log"] }, { subresource: "log" }, true],
  ["not the subresources of a resource", { resources: ["pods"] }, { subresource: "log" }, false],
  ["not the resource of a subresource", { resources: ["*/log"] }, {}, false],
  ["the names of a rule", { resources: ["pods"], resourceNames: ["a"] }, { name: "a" }, true],
  ["no other names", { resources: ["pods"], resourceNames: ["a"] }, { name: "b" }, false],
  ["no other groups", { resources: ["pods"], apiGroups: ["apps"] }, {}, false],
  ["paths with a star", { nonResourceURLs: ["/a/*"] }, { isResource: false, path: "/a/b" }, true],
];

test.each(matching)("a rule allows %s", (_name, rule, request, allowed) => {
  put("clusterroles", "r", { rules: [{ apiGroups: [""], verbs: ["get"], ...rule }] });
  bind("clusterrolebindings", "b", ["ClusterRole", "r"], { kind: "User", name: "alice" });
  expect(rbac.authorize(access(request)).allowed).toBe(allowed);
});

test("aggregated roles have the rules of the selected roles, also after changes", () => {
  bootstrap();
  const end = aggregateClusterRoles(store, () => time);
  bind("rolebindings", "b", ["ClusterRole", "view"], { kind: "User", name: "alice" }, "ns");
  expect(rbac.authorize(access({})).allowed).toBe(true);
  expect(stored("clusterroles", "admin").metadata).toMatchObject({
    managedFields: [
      { manager: "clusterrole-aggregation-controller", operation: "Apply" },
      { manager: "kube-apiserver" },
    ],
  });
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  const rules = [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }];
  put("clusterroles", "widgets", { metadata: { labels }, rules });
  expect(rbac.authorize(access({ group: "example.com", resource: "widgets" })).allowed).toBe(true);
  end();
  const { revision } = store;
  put("clusterroles", "widgets", { metadata: { labels }, rules: [] });
  expect(store.revision).toBe(revision + 1);
});

const context = (user: UserInfo): StrategyContext => ({
  user,
  dryRun: false,
  now: 0,
  random: () => 0,
  warn: () => undefined,
  subresource: "",
  get: () => undefined,
  put: () => undefined,
  remove: () => undefined,
});

function attempt(run: () => void): { code: number; message: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    const { code, message } = error as StatusError;
    return { code, message };
  }
}

const role = (...rules: JsonObject[]) => ({ metadata: { name: "r", namespace: "ns" }, rules });
const readPods = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };

test("a user can't create a role with permissions that it doesn't have", () => {
  put("roles", "mine", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }, "ns");
  bind("rolebindings", "b", ["Role", "mine"], { kind: "User", name: "alice" }, "ns");
  const { roles } = escalationRules(rbac, rbac);
  const url = { nonResourceURLs: ["/x"], verbs: ["get"] };
  expect(attempt(() => roles.prepareForCreate(role(readPods, url), context(alice)))).toEqual({
    code: 403,
    message: `roles.rbac.authorization.k8s.io "r" is forbidden: user "alice" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["pods"], Verbs:["list"]}
{NonResourceURLs:["/x"], Verbs:["get"]}`,
  });
  expect(attempt(() => roles.prepareForCreate(role(readPods), context(admin)))).toBeUndefined();
});

test("a user with the verb escalate can create a role with any permissions", () => {
  put("roles", "mine", { rules: [{ apiGroups: [group], resources: ["roles"], verbs: ["escalate"] }] }, "ns");
  bind("rolebindings", "b", ["Role", "mine"], { kind: "User", name: "alice" }, "ns");
  const { roles } = escalationRules(rbac, rbac);
  expect(attempt(() => roles.prepareForCreate(role(readPods), context(alice)))).toBeUndefined();
});

test("updates for the garbage collector are allowed", () => {
  const { roles } = escalationRules(rbac, rbac);
  const old = role(readPods);
  const next = { ...old, metadata: { ...old.metadata, finalizers: ["x"] } };
  expect(attempt(() => roles.prepareForUpdate(next, old, context(alice)))).toBeUndefined();
  const other = { ...old, metadata: { ...old.metadata, labels: { a: "b" } } };
  expect(attempt(() => roles.prepareForUpdate(other, old, context(alice)))?.code).toBe(403);
});

test("aggregation rules need the permissions of a cluster administrator", () => {
  const { clusterroles } = escalationRules(rbac, rbac);
  const aggregated = { metadata: { name: "r" }, aggregationRule: { clusterRoleSelectors: [{}] } };
  expect(attempt(() => clusterroles.prepareForCreate(aggregated, context(alice)))).toEqual({
    code: 403,
    message:
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  });
});

test("a binding needs the permissions of its role, or the verb bind", () => {
  put("clusterroles", "reader", { rules: [readPods] });
  const { rolebindings } = escalationRules(rbac, rbac);
  const binding = (name: string) => ({
    metadata: { name: "b", namespace: "ns" },
    roleRef: { apiGroup: group, kind: "ClusterRole", name },
  });
  expect(attempt(() => rolebindings.prepareForCreate(binding("reader"), context(alice)))?.message).toMatch(
    /^rolebindings\.rbac\.authorization\.k8s\.io "b" is forbidden: user "alice" .*:\n\{APIGroups:\[""\], Resources:\["pods"\], Verbs:\["get" "list"\]\}$/,
  );
  expect(attempt(() => rolebindings.prepareForCreate(binding("none"), context(alice)))).toEqual({
    code: 404,
    message: 'rolebindings.rbac.authorization.k8s.io "none" not found',
  });
  put(
    "roles",
    "mine",
    { rules: [{ apiGroups: [group], resources: ["clusterroles"], verbs: ["bind"], resourceNames: ["reader"] }] },
    "ns",
  );
  bind("rolebindings", "m", ["Role", "mine"], { kind: "User", name: "alice" }, "ns");
  expect(attempt(() => rolebindings.prepareForCreate(binding("reader"), context(alice)))).toBeUndefined();
});
