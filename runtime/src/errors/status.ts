import type { ListMeta } from "../api/index.ts";

/** One reason of a failure, usually one field of an invalid object. */
export interface StatusCause {
  /** Machine-readable, such as `FieldValueInvalid`. */
  reason?: string;
  message?: string;
  /** Path of the field as in `spec.containers[0].name`. */
  field?: string;
}

/** What the failure is about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  /** The resource (`pods`) or, for invalid objects, the kind (`Pod`). */
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  /** How long to wait before the request is sent again. */
  retryAfterSeconds?: number;
}

/** The meta/v1 `Status` with which an API server answers when something fails. */
export interface Status {
  apiVersion: "v1";
  kind: "Status";
  metadata: ListMeta;
  status: "Success" | "Failure";
  message?: string;
  /** Machine-readable, such as `NotFound`. */
  reason?: string;
  details?: StatusDetails;
  /** HTTP status code. */
  code?: number;
}

/** The reasons that API servers give, as meta/v1 names them. */
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

/** The reason that stands for an HTTP status where the server gave none. `409` depends on the request: a POST met an existing object. */
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

/** Whether a JSON value is a meta/v1 Status. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== "object" || value === null) return false;
  const { kind, apiVersion } = value as Partial<Status>;
  return kind === "Status" && apiVersion === "v1";
}
