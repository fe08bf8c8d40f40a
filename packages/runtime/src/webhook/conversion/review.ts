import { parseJson } from "../../json/parse.ts";
import { stringifyJson } from "../../json/stringify.ts";

export interface ConversionRequest {
  uid?: string;
  desiredAPIVersion?: string;
  objects?: readonly unknown[];
}

/** A received review. Both versions of ConversionReview have the same fields; the response has the version of the request. */
export interface ConversionReview {
  apiVersion?: string;
  kind?: string;
  request: ConversionRequest;
}

/** Parses a ConversionReview. Throws an `Error` for invalid text. */
export function decodeConversion(text: string): ConversionReview {
  const review = parseJson(text) as Partial<ConversionReview> | null;
  const request = review?.request;
  if (typeof request !== "object" || request === null) throw new Error("conversion request is nil");
  if (request.objects !== undefined && request.objects !== null && !Array.isArray(request.objects)) {
    throw new Error("the objects of the conversion request must be a list");
  }
  return { apiVersion: review?.apiVersion, kind: review?.kind, request };
}

/** Returns the JSON text of a response: the converted objects, or the error. */
export function encodeConversion(review: ConversionReview, outcome: readonly unknown[] | Error): string {
  const { apiVersion, kind, request } = review;
  const failed = outcome instanceof Error;
  return stringifyJson({
    apiVersion,
    kind,
    response: {
      uid: request.uid ?? "",
      convertedObjects: failed ? [] : outcome,
      result: failed
        ? { metadata: {}, status: "Failure", message: outcome.message }
        : { metadata: {}, status: "Success" },
    },
  });
}
