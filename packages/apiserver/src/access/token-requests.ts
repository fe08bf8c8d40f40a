import { isObject, type JsonObject } from "@kubewright/cel/json";
import type { FieldError } from "@kubewright/cel/validation";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject } from "../model/resource.ts";
import { badRequest, conflict, invalid, notFound } from "../model/status.ts";
import { ensureNamespace } from "../registry/metadata.ts";
import { acceptedOf, objectAnswer } from "../registry/respond.ts";
import type { Scope } from "../registry/scope.ts";
import { decodeBody, readBody } from "../request/body.ts";
import { writeOptions } from "../request/options.ts";
import { admitPosted, type ConnectHandler } from "../subresources/connect.ts";
import type { BoundObject, ServiceAccountTokens, TokenContent } from "./service-account-tokens.ts";

const group = "authentication.k8s.io";
const kind = "TokenRequest";
const defaultSeconds = 3600;
const minimumSeconds = 600;
const maximumSeconds = 2 ** 32;
/** The lifetime that kubelet requests for Pods, whose tokens live for a year for the sake of old clients. */
const podSeconds = 3607;
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Creates the function that answers requests for tokens of service accounts.
 *
 * @param tokens - signs them
 * @returns the handler of `serviceaccounts/token`
 */
export function tokenRequests(tokens: ServiceAccountTokens): ConnectHandler {
  return async (scope) => {
    const accepted = acceptedOf(scope);
    const body = readBody(scope.request, scope.version.encodings);
    const options = writeOptions(scope.info.query, "CreateOptions");
    const decoded = decodeBody(scope.expected(), body, options.fieldValidation, (message) => scope.warn(message));
    decoded.metadata ??= {};
    ensureNamespace(decoded, scope.type, scope.info.namespace);
    setDefaults(decoded);
    const attributes = await admitPosted(scope, decoded, options, emptyRequest(scope));
    const { object: request } = attributes;
    const account = completeRequest(scope, request, tokens);
    await scope.engine.admission.validate(attributes);
    const content = tokenContent(scope, request, account, tokens);
    const { expirationSeconds } = request.spec as { expirationSeconds: number };
    request.status = {
      token: tokens.sign(content),
      expirationTimestamp: timestamp(scope.engine.now() + expirationSeconds * 1000),
    };
    return objectAnswer(scope, 201, accepted, request);
  };
}

/** Creates a request without contents, whose empty fields have no owner. */
function emptyRequest(scope: Scope): ApiObject {
  const { object } = scope.expected().codec.decode({ kind, apiVersion: `${group}/v1`, metadata: {} });
  if (isObject(object.spec)) delete object.spec.expirationSeconds;
  return object;
}

function setDefaults(request: ApiObject): void {
  const spec: JsonObject = isObject(request.spec) ? request.spec : {};
  request.spec = spec;
  if (typeof spec.expirationSeconds !== "number") spec.expirationSeconds = defaultSeconds;
}

/** Fills the request from its service account and checks it. Returns the service account. */
function completeRequest(scope: Scope, request: ApiObject, tokens: ServiceAccountTokens): ApiObject {
  const { name, namespace } = scope.info;
  const { metadata } = request;
  if (metadata.name && metadata.name !== name) {
    const detail = "must match the service account name if specified";
    const error: FieldError = { type: "FieldValueInvalid", field: "metadata.name", value: metadata.name, detail };
    throw invalid({ group, kind }, name, [error]);
  }
  const account = scope.context(false).get("", "serviceaccounts", namespace, name);
  if (account === undefined) throw notFound({ group: "", resource: "serviceaccounts" }, name);
  const uid = account.metadata.uid as string;
  if (metadata.uid && metadata.uid !== uid) {
    const detail = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflict({ group, resource: kind }, name, detail);
  }
  Object.assign(metadata, { name, namespace, uid, creationTimestamp: timestamp(scope.engine.now()) });
  const spec = request.spec as JsonObject;
  if (isObject(spec.attestations) && Object.keys(spec.attestations).length > 0) {
    const detail = "attestations may only be specified with a webhook bound object reference";
    throw invalid({ group, kind }, "", [
      { type: "FieldValueInvalid", field: "spec.attestations", value: spec.attestations, detail },
    ]);
  }
  if (!Array.isArray(spec.audiences) || spec.audiences.length === 0) spec.audiences = tokens.issuers.slice(0, 1);
  spec.boundObjectRef ??= null;
  const seconds = spec.expirationSeconds as number;
  const problem =
    seconds < minimumSeconds
      ? "may not specify a duration less than 10 minutes"
      : seconds > maximumSeconds
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (problem !== undefined) {
    const field = "spec.expirationSeconds";
    throw invalid({ group, kind }, "", [{ type: "FieldValueInvalid", field, value: seconds, detail: problem }]);
  }
  return account;
}

function tokenContent(
  scope: Scope,
  request: ApiObject,
  account: ApiObject,
  tokens: ServiceAccountTokens,
): TokenContent {
  const spec = request.spec as { audiences: string[]; expirationSeconds: number; boundObjectRef: JsonObject | null };
  const { audiences, expirationSeconds } = spec;
  const bound = spec.boundObjectRef === null ? undefined : boundObject(scope, spec.boundObjectRef);
  const own = audiences.every((audience) => tokens.issuers[0] === audience);
  const extended = bound?.kind === "pod" && expirationSeconds === podSeconds && own;
  return {
    namespace: scope.info.namespace,
    name: account.metadata.name as string,
    uid: account.metadata.uid as string,
    audiences,
    expirationSeconds: extended ? yearSeconds : expirationSeconds,
    ...(bound === undefined ? {} : { bound }),
    ...(extended ? { warnAfterSeconds: expirationSeconds } : {}),
  };
}

const boundResources: Record<string, { kind: BoundObject["kind"]; resource: string; namespaced: boolean }> = {
  Pod: { kind: "pod", resource: "pods", namespaced: true },
  Secret: { kind: "secret", resource: "secrets", namespaced: true },
  Node: { kind: "node", resource: "nodes", namespaced: false },
};

function boundObject(scope: Scope, reference: JsonObject): BoundObject {
  const text = (key: string): string => (typeof reference[key] === "string" ? reference[key] : "");
  const apiVersion = text("apiVersion");
  const slash = apiVersion.indexOf("/");
  const foundGroup = slash < 0 ? "" : apiVersion.slice(0, slash);
  const bound = foundGroup === "" ? boundResources[text("kind")] : undefined;
  if (bound === undefined) {
    const shown = `${foundGroup}/${apiVersion.slice(slash + 1)}, Kind=${text("kind")}`;
    throw badRequest(`cannot bind token to object of type ${shown}`);
  }
  const { get } = scope.context(false);
  const name = text("name");
  if (name === "") throw badRequest("Name parameter required.");
  const object = get("", bound.resource, bound.namespaced ? scope.info.namespace : "", name);
  if (object === undefined) throw notFound({ group: "", resource: bound.resource }, name);
  const podSpec = bound.kind === "pod" && isObject(object.spec) ? object.spec : {};
  if (bound.kind === "pod" && podSpec.serviceAccountName !== scope.info.name) {
    const problem = "to pod running with different serviceaccount name.";
    throw badRequest(`cannot bind token for serviceaccount ${JSON.stringify(scope.info.name)} ${problem}`);
  }
  const uid = object.metadata.uid as string;
  if (text("uid") !== "" && text("uid") !== uid) {
    const detail = `the UID in the bound object reference (${text("uid")}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", resource: text("kind") }, name, detail);
  }
  const nodeName = typeof podSpec.nodeName === "string" ? podSpec.nodeName : "";
  const nodeUid = nodeName === "" ? undefined : get("", "nodes", "", nodeName)?.metadata.uid;
  const node = nodeName === "" ? {} : { node: { name: nodeName, ...(nodeUid === undefined ? {} : { uid: nodeUid }) } };
  return { kind: bound.kind, name, uid, ...node };
}
