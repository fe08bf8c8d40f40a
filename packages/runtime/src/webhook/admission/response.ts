import type { JsonPatchOperation } from "../../client/patch.ts";
import { errorText } from "../../log/error-text.ts";
import type { AdmissionResponse } from "./types.ts";

/**
 * Allows a request.
 *
 * @param message - text for the audit log
 * @returns the response
 */
export function allowed(message = ""): AdmissionResponse {
  return validationResponse(true, message);
}

/**
 * Denies a request (403).
 *
 * @param message - the reason, which the user sees
 * @returns the response
 */
export function denied(message: string): AdmissionResponse {
  return validationResponse(false, message);
}

/**
 * Allows a request with changes of its object.
 *
 * @param message - text for the audit log
 * @param patches - the changes
 * @returns the response
 */
export function patched(message: string, patches: readonly JsonPatchOperation[]): AdmissionResponse {
  return { ...allowed(message), patches };
}

/**
 * Denies a request because of an error.
 *
 * @param code - HTTP status code, such as 400
 * @param error - any thrown value, whose message the user sees
 * @returns the response
 */
export function errored(code: number, error: unknown): AdmissionResponse {
  return { allowed: false, status: { metadata: {}, code, message: errorText(error) } };
}

/**
 * Allows (200) or denies (403) a request.
 *
 * @param isAllowed - whether to allow it
 * @param message - the reason
 * @returns the response
 */
export function validationResponse(isAllowed: boolean, message: string): AdmissionResponse {
  const verdict = isAllowed ? { code: 200 } : { code: 403, reason: "Forbidden" };
  return { allowed: isAllowed, status: { metadata: {}, ...(message === "" ? {} : { message }), ...verdict } };
}

/**
 * Appends warnings to a response.
 *
 * @param response - the response
 * @param warnings - texts for the user
 * @returns a new response
 */
export function withWarnings(response: AdmissionResponse, ...warnings: string[]): AdmissionResponse {
  return { ...response, warnings: [...(response.warnings ?? []), ...warnings] };
}
