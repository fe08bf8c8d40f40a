import { parseJson } from "../../json/parse.ts";
import { createPatch } from "./create-patch.ts";
import { allowed, errored, patched } from "./response.ts";
import type { AdmissionResponse } from "./types.ts";

/**
 * Allows a request with the patches that change `original` to `current`. Both are JSON text or parsed values. Invalid
 * JSON causes a denial (500).
 *
 * @param original - the object of the request
 * @param current - the object with changes
 * @returns the response
 *
 * @example
 * const response = patchResponseFromRaw(review.object, { ...review.object, spec: { players: 2 } });
 */
export function patchResponseFromRaw(original: unknown, current: unknown): AdmissionResponse {
  try {
    const patches = createPatch(parsed(original), parsed(current));
    return patches.length > 0 ? patched("", patches) : allowed();
  } catch (error) {
    return errored(500, error);
  }
}

function parsed(raw: unknown): unknown {
  if (raw instanceof Uint8Array) return parseJson(Buffer.from(raw).toString("utf8"));
  return typeof raw === "string" ? parseJson(raw) : raw;
}
