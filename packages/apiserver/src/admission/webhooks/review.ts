import { goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../../model/admission.ts";
import {
  type GroupVersionKind,
  requestObject,
  type Target,
  type VersionedObjects,
} from "../../model/admission-request.ts";
import { type StatusDetails, StatusError } from "../../model/status.ts";
import { type ExpectedDocument, jsonType } from "../../webhook/response.ts";

const group = "admission.k8s.io";
const versions = ["v1", "v1beta1"];

/** The answer of a webhook. */
export interface Review {
  allowed: boolean;
  /** The text of a JSON patch; empty for none. */
  patch: string;
  patchType: string;
  /** The Status of a refusal. */
  result: JsonObject | undefined;
  warnings: string[];
}

/**
 * Chooses the version of the review that a webhook receives.
 *
 * @param accepted - the versions that the webhook accepts, the preferred one first
 * @returns the document to send and to expect; undefined if the server has none of the versions
 */
export function reviewDocument(accepted: readonly string[]): ExpectedDocument | undefined {
  const version = accepted.find((one) => versions.includes(one));
  return version === undefined ? undefined : { group, version, kind: "AdmissionReview", versions };
}

/**
 * Creates the document that a webhook receives.
 *
 * @param uid - identifies this call
 * @param version - the version of the document
 * @param attributes - the request
 * @param target - the resource and version that the webhook has asked for
 * @param kind - the kind in that version
 * @param objects - the objects in that version
 * @returns the document
 */
export function reviewRequest(
  uid: string,
  version: string,
  attributes: AdmissionAttributes,
  target: Target,
  kind: GroupVersionKind,
  objects: VersionedObjects,
): JsonObject {
  const request = {
    uid,
    ...requestObject(attributes, target, kind),
    object: objects.object ?? null,
    oldObject: objects.oldObject ?? null,
  };
  return { kind: "AdmissionReview", apiVersion: `${group}/${version}`, request };
}

/**
 * Reads the types of the fields of a response.
 *
 * @param document - the AdmissionReview
 * @throws Error with the message of Go's decoder if a field has the wrong type
 */
export function checkReviewTypes(document: JsonObject): void {
  const response = document.response ?? null;
  if (response === null) return;
  const struct = "AdmissionResponse";
  if (!isObject(response)) throw mismatch(response, "AdmissionReview", "response", `v1.${struct}`);
  expect(response.uid, "string", struct, "response.uid", "types.UID");
  expect(response.allowed, "boolean", struct, "response.allowed", "bool");
  expect(response.patch, "string", struct, "response.patch", "[]uint8");
  expect(response.patchType, "string", struct, "response.patchType", "v1.PatchType");
  const warnings = response.warnings ?? null;
  if (warnings !== null && !Array.isArray(warnings)) throw mismatch(warnings, struct, "response.warnings", "[]string");
  for (const warning of warnings ?? []) expect(warning, "string", struct, "response.warnings", "string");
  const annotations = response.auditAnnotations ?? null;
  if (annotations !== null && !isObject(annotations)) {
    throw mismatch(annotations, struct, "response.auditAnnotations", "map[string]string");
  }
  for (const value of Object.values(annotations ?? {})) {
    expect(value, "string", struct, "response.auditAnnotations", "string");
  }
  const status = response.status ?? null;
  if (status === null) return;
  if (!isObject(status)) throw mismatch(status, struct, "response.status", "v1.Status");
  expect(status.status, "string", "Status", "response.status.status", "string");
  expect(status.message, "string", "Status", "response.status.message", "string");
  expect(status.reason, "string", "Status", "response.status.reason", "v1.StatusReason");
  expect(status.code, "number", "Status", "response.status.code", "int32");
  if (typeof status.code === "number" && (status.code | 0) !== status.code) {
    const prefix = `json: cannot unmarshal number ${status.code} into Go struct field`;
    throw new Error(`${prefix} Status.response.status.code of type int32`);
  }
}

function expect(value: Json | undefined, type: string, struct: string, field: string, goType: string): void {
  if (value === undefined || value === null || typeof value === type) return;
  throw mismatch(value, struct, field, goType);
}

function mismatch(value: Json, struct: string, field: string, goType: string): Error {
  return new Error(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${struct}.${field} of type ${goType}`,
  );
}

/**
 * Reads and checks the answer of a webhook.
 *
 * @param document - the AdmissionReview, whose types are correct
 * @param expected - the document that was expected
 * @param uid - the UID of the call
 * @param mutating - true if the webhook may send a patch
 * @returns the answer
 * @throws Error with kube-apiserver's message if the answer isn't valid
 */
export function readReview(document: JsonObject, expected: ExpectedDocument, uid: string, mutating: boolean): Review {
  const response = document.response;
  if (!isObject(response)) throw new Error("webhook response was absent");
  const patch = decodePatch(response.patch);
  const patchType = response.patchType ?? undefined;
  if (expected.version === "v1") {
    checkIdentity(document, response, uid);
    checkPatch(patch, patchType as string | undefined, mutating);
  }
  const result = isObject(response.status) ? response.status : undefined;
  return {
    allowed: response.allowed === true,
    patch: mutating ? patch : "",
    // The old version of the review has no rule for the type: there is only one.
    patchType: expected.version === "v1" ? String(patchType ?? "") : "JSONPatch",
    result,
    warnings: (response.warnings ?? []) as string[],
  };
}

function decodePatch(value: Json | undefined): string {
  if (typeof value !== "string" || value === "") return "";
  return Buffer.from(value, "base64").toString("utf8");
}

/**
 * Finds the first character of a text that isn't base64.
 *
 * @param text - the text
 * @returns the message of Go's decoder, or undefined if the text is base64
 */
export function base64Problem(text: string): string | undefined {
  // Go's decoder skips line ends, and counts them.
  const wrong = /[^A-Za-z0-9+/=\r\n]/.exec(text);
  if (wrong !== null) return `illegal base64 data at input byte ${wrong.index}`;
  const plain = text.replace(/[\r\n]/g, "");
  const padding = /(?<!=)=+$/.exec(plain)?.[0].length ?? 0;
  const early = plain.indexOf("=");
  if (early >= 0 && early < plain.length - padding) return `illegal base64 data at input byte ${early}`;
  if (plain.length % 4 !== 0 || padding > 2)
    return `illegal base64 data at input byte ${plain.length - (plain.length % 4)}`;
  return undefined;
}

function checkIdentity(document: JsonObject, response: JsonObject, uid: string): void {
  const returned = String(response.uid ?? "");
  if (returned !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(returned)}`);
  const apiVersion = String(document.apiVersion ?? "");
  const kind = String(document.kind ?? "");
  if (apiVersion === `${group}/v1` && kind === "AdmissionReview") return;
  const shown = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  throw new Error(`expected webhook response of ${group}/v1, Kind=AdmissionReview, got ${shown}, Kind=${kind}`);
}

function checkPatch(patch: string, patchType: string | undefined, mutating: boolean): void {
  if (!mutating) {
    if (patch !== "") throw new Error("validating webhook may not return response.patch");
    if (patchType !== undefined) throw new Error("validating webhook may not return response.patchType");
    return;
  }
  if (patch !== "" && patchType === undefined) {
    throw new Error("webhook returned response.patch but not response.patchType");
  }
  if (patch === "" && patchType !== undefined) {
    throw new Error("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") throw new Error('webhook returned invalid response.patchType of ""');
}

/**
 * Creates the error for a request that a webhook refuses.
 *
 * @param webhook - the name of the webhook
 * @param result - the Status of its answer
 * @returns the error
 */
export function rejection(webhook: string, result: JsonObject = {}): StatusError {
  const deniedBy = `admission webhook ${goQuote(webhook)} denied the request`;
  const code = typeof result.code === "number" && result.code >= 400 ? result.code : 400;
  const reason = typeof result.reason === "string" ? result.reason : "";
  const why = (typeof result.message === "string" ? result.message : "") || reason;
  const message = why === "" ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`;
  const details = isObject(result.details) ? (result.details as StatusDetails) : undefined;
  return new StatusError(code, reason, message, details);
}
