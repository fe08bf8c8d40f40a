import { findCause } from "../../errors/cause.ts";
import { findApiError } from "../../errors/predicates.ts";
import { errorText } from "../../log/error-text.ts";
import { Denied } from "./denied.ts";
import { denied, withWarnings } from "./response.ts";
import type { AdmissionResponse } from "./types.ts";

/**
 * What a defaulter or validator means by throwing: denied (403) with its message, or with the status of an `ApiError`, and with the
 * warnings of a {@link Denied}.
 */
export function verdictOf(thrown: unknown): AdmissionResponse {
  const status = findApiError(thrown)?.status;
  const response = status ? { allowed: false, status } : denied(messageOf(thrown));
  const warnings = findCause(thrown, Denied)?.warnings ?? [];
  return warnings.length > 0 ? withWarnings(response, ...warnings) : response;
}

function messageOf(thrown: unknown): string {
  // A denial says what its author wrote, and nothing of what led to it.
  if (thrown instanceof Error && thrown.message !== "") return thrown.message;
  return errorText(thrown);
}
