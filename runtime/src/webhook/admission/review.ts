import type { AdmissionRequest } from "../../api/admission/v1.ts";
import { isJsonObject } from "../../json/object.ts";
import { parseJson } from "../../json/parse.ts";
import { stringifyJson } from "../../json/stringify.ts";
import type { AdmissionResponse } from "./types.ts";

const versions = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

/** A review as it came: which version it has, and what is asked. */
export interface Review {
  apiVersion: string;
  request: AdmissionRequest;
}

/** Reads an AdmissionReview of either version; one that names no version is of the newer. Throws an `Error` for anything else. */
export function decodeReview(text: string): Review {
  const review = parseJson(text);
  if (!isJsonObject(review)) throw new Error("the request body is no AdmissionReview");
  const { apiVersion = versions[0], kind = "AdmissionReview", request } = review;
  if (kind !== "AdmissionReview" || typeof apiVersion !== "string" || !versions.includes(apiVersion)) {
    throw new Error(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  if (!isJsonObject(request)) throw new Error("the AdmissionReview holds no request");
  return { apiVersion, request: request as AdmissionRequest };
}

/** The JSON text of an answer. Without a review the request could not be read, and nothing is known of it. */
export function encodeReview(response: AdmissionResponse, review?: Review): string {
  const { allowed, status, patches = [], warnings = [], auditAnnotations } = response;
  const type = review ? { apiVersion: review.apiVersion, kind: "AdmissionReview" } : {};
  return stringifyJson({
    ...type,
    response: {
      uid: review?.request.uid ?? "",
      allowed,
      status: { metadata: {}, ...status, code: status?.code || 200 },
      ...(patches.length > 0 ? { patch: base64(stringifyJson(patches)), patchType: "JSONPatch" } : {}),
      ...(auditAnnotations ? { auditAnnotations } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  });
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
