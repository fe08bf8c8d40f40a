import { findCause } from "../../errors/cause.ts";
import { findApiError } from "../../errors/predicates.ts";
import { errorText } from "../../log/error-text.ts";
import { Denied } from "./denied.ts";
import { denied, withWarnings } from "./response.ts";
import type { AdmissionResponse } from "./types.ts";

/**
 * Converts a thrown value into a denial: 403 with its message, or the status of an `ApiError`, with the warnings of
 * {@link Denied}.
 */
export function verdictOf(thrown: unknown): AdmissionResponse {
  const status = findApiError(thrown)?.status;
  const response = status ? { allowed: false, status } : denied(messageOf(thrown));
  const warnings = findCause(thrown, Denied)?.warnings ?? [];
  return warnings.length > 0 ? withWarnings(response, ...warnings) : response;
}

function messageOf(thrown: unknown): string {
  // The user sees the author's message without its causes.
  if (thrown instanceof Error && thrown.message !== "") return thrown.message;
  return errorText(thrown);
}
