import { ApiError } from "./api-error.ts";
import { findCause } from "./cause.ts";
import { StatusReason } from "./status.ts";

const known: ReadonlySet<string> = new Set(Object.values(StatusReason).filter((reason) => reason !== ""));

/** The `ApiError` in an error or in its chain of causes. */
export function findApiError(error: unknown): ApiError | undefined {
  return findCause(error, ApiError);
}

// The reason decides; the code only where the reason is none that servers are known to give.
function hasReason(error: unknown, reason: string, code?: number): boolean {
  const found = findApiError(error);
  if (found === undefined) return false;
  return found.reason === reason || (code !== undefined && found.code === code && !known.has(found.reason));
}

/** The object (or the resource) doesn't exist. */
export function isNotFound(error: unknown): boolean {
  return hasReason(error, StatusReason.notFound, 404);
}

/** An object of that name exists already. */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, StatusReason.alreadyExists);
}

/** The object was changed by somebody else since it was read. */
export function isConflict(error: unknown): boolean {
  return hasReason(error, StatusReason.conflict, 409);
}

/** Fields of the object break rules. */
export function isInvalid(error: unknown): boolean {
  return hasReason(error, StatusReason.invalid, 422);
}

/** The server doesn't know who asks. */
export function isUnauthorized(error: unknown): boolean {
  return hasReason(error, StatusReason.unauthorized, 401);
}

/** Whoever asks may not. */
export function isForbidden(error: unknown): boolean {
  return hasReason(error, StatusReason.forbidden, 403);
}

/** 410: the resource version or continue token is too old, list again. */
export function isGone(error: unknown): boolean {
  const found = findApiError(error);
  return found !== undefined && (hasReason(found, StatusReason.gone, 410) || isExpired(found));
}

/** The resource version or continue token is too old, list again. */
export function isExpired(error: unknown): boolean {
  return hasReason(error, StatusReason.expired);
}

/** The request makes no sense to the server. */
export function isBadRequest(error: unknown): boolean {
  return hasReason(error, StatusReason.badRequest, 400);
}

/** The resource has no such verb. */
export function isMethodNotSupported(error: unknown): boolean {
  return hasReason(error, StatusReason.methodNotAllowed, 405);
}

/** The server can't answer in the form that was asked for. */
export function isNotAcceptable(error: unknown): boolean {
  return hasReason(error, StatusReason.notAcceptable, 406);
}

/** The server can't read what was sent. */
export function isUnsupportedMediaType(error: unknown): boolean {
  return hasReason(error, StatusReason.unsupportedMediaType, 415);
}

/** The request is larger than the server takes. */
export function isRequestEntityTooLarge(error: unknown): boolean {
  return hasReason(error, StatusReason.requestEntityTooLarge, 413);
}

/** The server is overloaded or not warm yet: ask again later. */
export function isTooManyRequests(error: unknown): boolean {
  return hasReason(error, StatusReason.tooManyRequests, 429);
}

/** The request took the server too long. */
export function isTimeout(error: unknown): boolean {
  return hasReason(error, StatusReason.timeout, 504);
}

/** The server couldn't finish in time: ask again. */
export function isServerTimeout(error: unknown): boolean {
  return hasReason(error, StatusReason.serverTimeout);
}

/** Something broke inside of the server. */
export function isInternalError(error: unknown): boolean {
  return hasReason(error, StatusReason.internalError, 500);
}

/** The server is there but can't serve. */
export function isServiceUnavailable(error: unknown): boolean {
  return hasReason(error, StatusReason.serviceUnavailable, 503);
}

/** The asked resource version lies in the server's future: it restarted or lags, ask again without it. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  const found = findApiError(error);
  if (found === undefined || !isTimeout(found)) return false;
  const causes = found.status.details?.causes ?? [];
  return causes.some((cause) => cause.reason === "ResourceVersionTooLarge");
}

/** Settles like the promise, with `undefined` in place of a "not found". */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Settles like the promise, with `undefined` in place of an "already exists". */
export async function ignoreAlreadyExists<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    throw error;
  }
}
