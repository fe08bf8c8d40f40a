// The types of the names that expressions of admission refer to.
import {
  type Declarations,
  define,
  dynType,
  type Functions,
  parseType,
  type StructDeclaration,
  stringType,
  type Type,
} from "@kubewright/cel/language";
import type { ExpressionEnvironment } from "./expressions.ts";

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

const structs: ReadonlyMap<string, StructDeclaration> = new Map(
  Object.entries(declared).map(([name, fields]) => [
    name,
    { fields: new Map(Object.entries(fields).map(([field, type]) => [field, parseType(type)])) },
  ]),
);

/** `Object` and the types of its fields, such as `Object.spec`, have all fields. */
const objectFields: StructDeclaration = { fields: { get: () => dynType } };
const patchTypes = new Map([
  ["op", stringType],
  ["path", stringType],
  ["from", stringType],
  ["value", dynType],
]);
/** The type of fields that a patch doesn't have, which no value has. */
const namelessType: Type = { kind: "opaque", name: "", params: [] };
const patchFields: StructDeclaration = { fields: { get: (name) => patchTypes.get(name) ?? namelessType } };

const variablesType = "kubernetes.variables";

/**
 * Declares the types with fields of an environment.
 *
 * @param environment - the environment
 * @returns the declarations
 */
export function structsOf(environment: ExpressionEnvironment): Declarations<StructDeclaration> {
  const variables: StructDeclaration = {
    fields: new Map(environment.variables?.map(({ name, program }) => [name, typeOfVariable(program.type)])),
  };
  return {
    get(name) {
      if (name === variablesType) return variables;
      if (environment.patchTypes && name === "JSONPatch") return patchFields;
      if (environment.patchTypes && /^Object(\.|$)/.test(name)) return objectFields;
      return structs.get(name);
    },
  };
}

const simple = new Set(["any", "bool", "bytes", "double", "duration", "int", "null", "string", "timestamp", "uint"]);

/** Returns the type of a variable for other expressions: types with fields are lost. */
function typeOfVariable(type: Type | undefined): Type {
  if (type === undefined) return dynType;
  if (type.kind === "list" || type.kind === "map") return { ...type, params: type.params.map(typeOfVariable) };
  return simple.has(type.kind) ? type : dynType;
}

/**
 * Declares the variables of an environment.
 *
 * @param environment - the environment
 * @returns their types by name
 */
export function variablesOf(environment: ExpressionEnvironment): Record<string, Type> {
  return {
    object: dynType,
    oldObject: dynType,
    request: parseType("kubernetes.AdmissionRequest"),
    namespaceObject: parseType("kubernetes.Namespace"),
    ...(environment.variables ? { variables: parseType(variablesType) } : {}),
    ...(environment.params ? { params: dynType } : {}),
    ...(environment.authorizer
      ? {
          authorizer: parseType("kubernetes.authorization.Authorizer"),
          "authorizer.requestResource": parseType("kubernetes.authorization.ResourceCheck"),
        }
      : {}),
  };
}

/** The functions of expressions that create patches. */
export const patchFunctions: Functions = new Map();
define(patchFunctions, "jsonpatch.escapeKey", [
  "string_jsonpatch_escapeKey_string",
  "(string) -> string",
  (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1"),
]);
