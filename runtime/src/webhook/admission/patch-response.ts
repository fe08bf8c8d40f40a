import { parseJson } from "../../json/parse.ts";
import { createPatch } from "./create-patch.ts";
import { allowed, errored, patched } from "./response.ts";
import type { AdmissionResponse } from "./types.ts";

/**
 * The request may go on once `original` has become `current`; both are JSON text, or the values that it stands for. Text that is no
 * JSON gives an answer that refuses (500).
 *
 * @example
 * return patchResponseFromRaw(request.object, { ...request.object, spec });
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
