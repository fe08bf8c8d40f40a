import type { JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../model/admission.ts";
import type { AccessRequest } from "../model/authorizer.ts";
import type { ApiObject } from "../model/resource.ts";
import type { DeleteOptions, WriteOptions } from "../model/write-options.ts";
import type { Scope } from "./scope.ts";

/** Returns the options of a write as webhooks see them: field validation only if the request asks for it. */
export function optionsObject(scope: Scope, kind: string, options: WriteOptions): JsonObject {
  const fieldValidation = scope.info.query.text("fieldValidation");
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(options.dryRun ? { dryRun: ["All"] } : {}),
    ...(options.fieldManager === "" ? {} : { fieldManager: options.fieldManager }),
    ...(fieldValidation ? { fieldValidation } : {}),
  };
}

/** Creates the attributes for admission of a write. */
export function admissionAttributes(
  scope: Scope,
  operation: AdmissionAttributes["operation"],
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
  options: JsonObject,
  dryRun: boolean,
): AdmissionAttributes {
  const { namespace } = scope.info;
  const name = scope.info.name || (object?.metadata.name ?? "");
  // A new namespace is in itself.
  const isNew = operation === "CREATE" && namespace === "" && scope.collection.name === "namespaces";
  return {
    operation,
    type: scope.type,
    version: scope.version,
    subresource: scope.info.subresource,
    namespace: isNew ? name : namespace,
    name,
    object,
    oldObject,
    options,
    dryRun,
    user: scope.user,
    timeLeft: () => scope.deadline - scope.engine.elapsed(),
    warn: (message) => scope.warn(message),
  };
}

/** Returns the options of a deletion as webhooks see them. */
export function deleteOptionsObject(options: DeleteOptions): JsonObject {
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.preconditions === undefined ? {} : { preconditions: { ...options.preconditions } }),
    ...(options.orphanDependents === undefined ? {} : { orphanDependents: options.orphanDependents }),
    ...(options.propagationPolicy === undefined ? {} : { propagationPolicy: options.propagationPolicy }),
    ...(options.dryRun ? { dryRun: ["All"] } : {}),
  };
}

/** Returns the request for permission to create the object of an update. */
export function createAccess(scope: Scope): AccessRequest {
  const { info } = scope;
  return {
    user: scope.user,
    verb: "create",
    isResource: true,
    path: info.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
  };
}
