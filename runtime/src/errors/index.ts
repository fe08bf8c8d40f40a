export { ApiError, type ErrorSubject } from "./api-error.ts";
export { type MissingPermission, missingPermission, rbacMarker } from "./missing-permission.ts";
export { isNoMatch, NoMatchError } from "./no-match-error.ts";
export {
  findApiError,
  ignoreAlreadyExists,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from "./predicates.ts";
export { reasonForCode, type Status, type StatusCause, type StatusDetails, StatusReason } from "./status.ts";
export { isConnectionRefused, isConnectionReset, isTransportError, TransportError } from "./transport-error.ts";
