import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { missingPermission, rbacMarker } from "./missing-permission.ts";

const forbidden = (message: string) => ApiError.create(403, "Forbidden", message);
const user = 'User "system:serviceaccount:game-system:game-controller-manager"';

test.each([
  [
    `deployments.apps is forbidden: ${user} cannot list resource "deployments" in API group "apps" at the cluster scope`,
    { verb: "list", group: "apps", resource: "deployments" },
    "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=list",
  ],
  [
    `pods "web" is forbidden: ${user} cannot get resource "pods/log" in API group "" in the namespace "default": RBAC: role.rbac.authorization.k8s.io "x" not found`,
    { verb: "get", group: "", resource: "pods/log", namespace: "default" },
    "+kubebuilder:rbac:groups=core,resources=pods/log,verbs=get,namespace=default",
  ],
  [
    `forbidden: ${user} cannot get path "/metrics"`,
    { verb: "get", group: "", resource: "", url: "/metrics" },
    "+kubebuilder:rbac:urls=/metrics,verbs=get",
  ],
])("missingPermission parses %s", (message, missing, marker) => {
  expect(missingPermission(forbidden(message))).toEqual(missing);
  expect(missingPermission(new Error("outer", { cause: forbidden(message) }))).toEqual(missing);
  expect(rbacMarker(missing)).toBe(marker);
});

test.each([
  forbidden('admission webhook "v.example.com" denied the request: no'),
  forbidden('pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'),
  forbidden("configmaps is forbidden: unable to create new content in namespace x because it is being terminated"),
  ApiError.create(404, "NotFound", 'cannot get resource "pods" in API group "" at the cluster scope'),
  new Error('cannot get resource "pods" in API group "" at the cluster scope'),
  undefined,
])("missingPermission returns undefined for %s", (error) => {
  expect(missingPermission(error)).toBeUndefined();
});
