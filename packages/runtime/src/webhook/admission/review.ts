import type { AdmissionRequest } from "../../api/admission/v1.ts";
import { isJsonObject } from "../../json/object.ts";
import { parseJson } from "../../json/parse.ts";
import { stringifyJson } from "../../json/stringify.ts";
import type { AdmissionResponse } from "./types.ts";

const versions = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

/** A received review: its version and its request. */
export interface Review {
  apiVersion: string;
  request: AdmissionRequest;
}

/** Parses an AdmissionReview of either version; without a version, it is the newer one. Throws an `Error` for anything else. */
export function decodeReview(text: string): Review {
  const review = parseJson(text);
  if (!isJsonObject(review)) throw new Error("the request body isn't an AdmissionReview");
  const { apiVersion = versions[0], kind = "AdmissionReview", request } = review;
  if (kind !== "AdmissionReview" || typeof apiVersion !== "string" || !versions.includes(apiVersion)) {
    throw new Error(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  if (!isJsonObject(request)) throw new Error("the AdmissionReview contains no request");
  return { apiVersion, request: request as AdmissionRequest };
}

/** Returns the JSON text of a response. Without a review, the request couldn't be parsed. */
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
