// The names that expressions of admission refer to, in policies and in match conditions of webhooks.
import type { StructDeclaration } from "../declarations/environment.ts";
import { parseType } from "../declarations/function.ts";
import { dynType, type Type } from "../declarations/type.ts";

/** Fields by the names of types, with their types. */
const declared: Record<string, Record<string, string>> = {
  "kubernetes.GroupVersionKind": { group: "string", version: "string", kind: "string" },
  "kubernetes.GroupVersionResource": { group: "string", version: "string", resource: "string" },
  "kubernetes.UserInfo": {
    username: "string",
    uid: "string",
    groups: "list(string)",
    extra: "map(string, list(string))",
  },
  "kubernetes.AdmissionRequest": {
    kind: "kubernetes.GroupVersionKind",
    resource: "kubernetes.GroupVersionResource",
    subResource: "string",
    requestKind: "kubernetes.GroupVersionKind",
    requestResource: "kubernetes.GroupVersionResource",
    requestSubResource: "string",
    name: "string",
    namespace: "string",
    operation: "string",
    userInfo: "kubernetes.UserInfo",
    dryRun: "bool",
    options: "dyn",
  },
  "kubernetes.NamespaceSpec": { finalizers: "list(string)" },
  "kubernetes.NamespaceCondition": {
    status: "string",
    type: "string",
    lastTransitionTime: "timestamp",
    message: "string",
    reason: "string",
  },
  "kubernetes.NamespaceStatus": { conditions: "list(kubernetes.NamespaceCondition)", phase: "string" },
  "kubernetes.NamespaceMetadata": {
    name: "string",
    generateName: "string",
    namespace: "string",
    labels: "map(string, string)",
    annotations: "map(string, string)",
    UID: "string",
    creationTimestamp: "timestamp",
    deletionGracePeriodSeconds: "int",
    deletionTimestamp: "timestamp",
    generation: "int",
    resourceVersion: "string",
    finalizers: "list(string)",
  },
  "kubernetes.Namespace": {
    metadata: "kubernetes.NamespaceMetadata",
    spec: "kubernetes.NamespaceSpec",
    status: "kubernetes.NamespaceStatus",
  },
};

/** The types with fields that expressions of admission refer to, by name. */
export const admissionStructs: ReadonlyMap<string, StructDeclaration> = new Map(
  Object.entries(declared).map(([name, fields]) => [
    name,
    { fields: new Map(Object.entries(fields).map(([field, type]) => [field, parseType(type)])) },
  ]),
);

/** The variables of all expressions of admission, by name. The types of objects aren't known. */
export const admissionVariables: Readonly<Record<string, Type>> = {
  object: dynType,
  oldObject: dynType,
  request: parseType("kubernetes.AdmissionRequest"),
  namespaceObject: parseType("kubernetes.Namespace"),
};

/** The variables of expressions that can check permissions. */
export const authorizerVariables: Readonly<Record<string, Type>> = {
  authorizer: parseType("kubernetes.authorization.Authorizer"),
  "authorizer.requestResource": parseType("kubernetes.authorization.ResourceCheck"),
};
