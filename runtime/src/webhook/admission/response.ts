import type { JsonPatchOperation } from "../../client/patch.ts";
import { errorText } from "../../log/error-text.ts";
import type { AdmissionResponse } from "./types.ts";

/** The request may go on. */
export function allowed(message = ""): AdmissionResponse {
  return validationResponse(true, message);
}

/** The request is refused (403). */
export function denied(message: string): AdmissionResponse {
  return validationResponse(false, message);
}

/** The request may go on once the object is changed. */
export function patched(message: string, patches: readonly JsonPatchOperation[]): AdmissionResponse {
  return { ...allowed(message), patches };
}

/** The request could not be judged. It is refused with an HTTP status such as 400. */
export function errored(code: number, error: unknown): AdmissionResponse {
  return { allowed: false, status: { metadata: {}, code, message: errorText(error) } };
}

/** The verdict on a request: 200, or 403 with the message. */
export function validationResponse(isAllowed: boolean, message: string): AdmissionResponse {
  const verdict = isAllowed ? { code: 200 } : { code: 403, reason: "Forbidden" };
  return { allowed: isAllowed, status: { metadata: {}, ...(message === "" ? {} : { message }), ...verdict } };
}

/** The response with more warnings behind those that it has. */
export function withWarnings(response: AdmissionResponse, ...warnings: string[]): AdmissionResponse {
  return { ...response, warnings: [...(response.warnings ?? []), ...warnings] };
}
