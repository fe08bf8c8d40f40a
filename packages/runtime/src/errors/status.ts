import type { ListMeta } from "../api/index.ts";

/** A cause of a failure, usually one field of an invalid object. */
export interface StatusCause {
  /** Machine-readable reason, such as `FieldValueInvalid`. */
  reason?: string;
  /** Human-readable message. */
  message?: string;
  /** Path of the field, such as `spec.containers[0].name`. */
  field?: string;
}

/** Details of a failure. */
export interface StatusDetails {
  /** Name of the object. */
  name?: string;
  /** API group of the object. */
  group?: string;
  /** Resource (`pods`) or, for invalid objects, the kind (`Pod`). */
  kind?: string;
  /** UID of the object. */
  uid?: string;
  /** Single causes, such as invalid fields. */
  causes?: StatusCause[];
  /** Time in seconds to wait before the request is sent again. */
  retryAfterSeconds?: number;
}

/** The `Status` of meta/v1 with which an API server reports failures. */
export interface Status {
  /** Always `v1`. */
  apiVersion: "v1";
  /** Always `Status`. */
  kind: "Status";
  /** Metadata of the response, usually empty. */
  metadata: ListMeta;
  /** Whether the request succeeded. */
  status: "Success" | "Failure";
  /** Human-readable message. */
  message?: string;
  /** Machine-readable reason, such as `NotFound`. */
  reason?: string;
  /** Details of the failure. */
  details?: StatusDetails;
  /** HTTP status code. */
  code?: number;
}

/** The reasons of API servers, as meta/v1 defines them. */
export const StatusReason = {
  unknown: "",
  unauthorized: "Unauthorized",
  forbidden: "Forbidden",
  notFound: "NotFound",
  alreadyExists: "AlreadyExists",
  conflict: "Conflict",
  gone: "Gone",
  invalid: "Invalid",
  serverTimeout: "ServerTimeout",
  storeReadError: "StorageReadError",
  timeout: "Timeout",
  tooManyRequests: "TooManyRequests",
  badRequest: "BadRequest",
  methodNotAllowed: "MethodNotAllowed",
  notAcceptable: "NotAcceptable",
  requestEntityTooLarge: "RequestEntityTooLarge",
  unsupportedMediaType: "UnsupportedMediaType",
  internalError: "InternalError",
  expired: "Expired",
  serviceUnavailable: "ServiceUnavailable",
} as const;

/**
 * Returns the reason of an HTTP status for which the server set none. For `409`, a POST means that the object already
 * exists.
 *
 * @param code - HTTP status code
 * @param method - HTTP method of the request
 * @returns the reason, `""` if there is none for the code
 */
export function reasonForCode(code: number, method?: string): string {
  switch (code) {
    case 400:
      return StatusReason.badRequest;
    case 401:
      return StatusReason.unauthorized;
    case 403:
      return StatusReason.forbidden;
    case 404:
      return StatusReason.notFound;
    case 405:
      return StatusReason.methodNotAllowed;
    case 406:
      return StatusReason.notAcceptable;
    case 409:
      return method === "POST" ? StatusReason.alreadyExists : StatusReason.conflict;
    case 410:
      return StatusReason.gone;
    case 413:
      return StatusReason.requestEntityTooLarge;
    case 415:
      return StatusReason.unsupportedMediaType;
    case 422:
      return StatusReason.invalid;
    case 429:
      return StatusReason.tooManyRequests;
    case 500:
      return StatusReason.internalError;
    case 503:
      return StatusReason.serviceUnavailable;
    case 504:
      return StatusReason.timeout;
    default:
      return code >= 500 ? StatusReason.internalError : StatusReason.unknown;
  }
}

/** Returns whether a JSON value is a `Status` of meta/v1. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== "object" || value === null) return false;
  const { kind, apiVersion } = value as Partial<Status>;
  return kind === "Status" && apiVersion === "v1";
}
