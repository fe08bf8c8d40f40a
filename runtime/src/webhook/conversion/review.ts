import { parseJson } from "../../json/parse.ts";
import { stringifyJson } from "../../json/stringify.ts";

export interface ConversionRequest {
  uid?: string;
  desiredAPIVersion?: string;
  objects?: readonly unknown[];
}

/** A review as it came. Both versions of ConversionReview look alike; the answer has the one of the question. */
export interface ConversionReview {
  apiVersion?: string;
  kind?: string;
  request: ConversionRequest;
}

/** Reads a ConversionReview. Throws an `Error` for text that is none. */
export function decodeConversion(text: string): ConversionReview {
  const review = parseJson(text) as Partial<ConversionReview> | null;
  const request = review?.request;
  if (typeof request !== "object" || request === null) throw new Error("conversion request is nil");
  if (request.objects !== undefined && request.objects !== null && !Array.isArray(request.objects)) {
    throw new Error("the objects of the conversion request are no list");
  }
  return { apiVersion: review?.apiVersion, kind: review?.kind, request };
}

/** The JSON text of an answer: the converted objects, or why there are none. */
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
