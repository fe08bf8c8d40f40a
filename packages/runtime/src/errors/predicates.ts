import { ApiError } from "./api-error.ts";
import { findCause } from "./cause.ts";
import { StatusReason } from "./status.ts";

const reasons: ReadonlySet<string> = new Set(Object.values(StatusReason).filter((reason) => reason !== ""));

/**
 * Returns the `ApiError` in an error or its chain of causes.
 *
 * @param error - any thrown value
 * @returns the error, or `undefined`
 */
export function findApiError(error: unknown): ApiError | undefined {
  return findCause(error, ApiError);
}

// The reason decides. The code applies only if the reason isn't one of the known ones.
function hasReason(error: unknown, reason: string, code?: number): boolean {
  const apiError = findApiError(error);
  if (apiError === undefined) return false;
  return apiError.reason === reason || (code !== undefined && apiError.code === code && !reasons.has(apiError.reason));
}

/**
 * Returns whether the object or its resource doesn't exist.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isNotFound(error: unknown): boolean {
  return hasReason(error, StatusReason.notFound, 404);
}

/**
 * Returns whether an object with this name already exists.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, StatusReason.alreadyExists);
}

/**
 * Returns whether the object was changed since it was read.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isConflict(error: unknown): boolean {
  return hasReason(error, StatusReason.conflict, 409);
}

/**
 * Returns whether fields of the object are invalid.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isInvalid(error: unknown): boolean {
  return hasReason(error, StatusReason.invalid, 422);
}

/**
 * Returns whether the server couldn't authenticate the request.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isUnauthorized(error: unknown): boolean {
  return hasReason(error, StatusReason.unauthorized, 401);
}

/**
 * Returns whether the request isn't permitted.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isForbidden(error: unknown): boolean {
  return hasReason(error, StatusReason.forbidden, 403);
}

/**
 * Returns whether the resource version or continue token is too old (410). List again.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isGone(error: unknown): boolean {
  const apiError = findApiError(error);
  return apiError !== undefined && (hasReason(apiError, StatusReason.gone, 410) || isExpired(apiError));
}

/**
 * Returns whether the resource version or continue token is too old, by the reason `Expired`. List again.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isExpired(error: unknown): boolean {
  return hasReason(error, StatusReason.expired);
}

/**
 * Returns whether the request is invalid.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isBadRequest(error: unknown): boolean {
  return hasReason(error, StatusReason.badRequest, 400);
}

/**
 * Returns whether the resource doesn't support the verb.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isMethodNotSupported(error: unknown): boolean {
  return hasReason(error, StatusReason.methodNotAllowed, 405);
}

/**
 * Returns whether the server can't respond in the requested format.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isNotAcceptable(error: unknown): boolean {
  return hasReason(error, StatusReason.notAcceptable, 406);
}

/**
 * Returns whether the server doesn't support the format of the request.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isUnsupportedMediaType(error: unknown): boolean {
  return hasReason(error, StatusReason.unsupportedMediaType, 415);
}

/**
 * Returns whether the request exceeds the server's size limit.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isRequestEntityTooLarge(error: unknown): boolean {
  return hasReason(error, StatusReason.requestEntityTooLarge, 413);
}

/**
 * Returns whether the server is overloaded or still starting. Retry later.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isTooManyRequests(error: unknown): boolean {
  return hasReason(error, StatusReason.tooManyRequests, 429);
}

/**
 * Returns whether the request exceeded the server's time limit.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isTimeout(error: unknown): boolean {
  return hasReason(error, StatusReason.timeout, 504);
}

/**
 * Returns whether the server couldn't finish in time. Retry.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isServerTimeout(error: unknown): boolean {
  return hasReason(error, StatusReason.serverTimeout);
}

/**
 * Returns whether an internal error of the server occurred.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isInternalError(error: unknown): boolean {
  return hasReason(error, StatusReason.internalError, 500);
}

/**
 * Returns whether the server can't handle requests at the moment.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isServiceUnavailable(error: unknown): boolean {
  return hasReason(error, StatusReason.serviceUnavailable, 503);
}

/**
 * Returns whether the requested resource version is newer than the server's state, for example after a restart. Retry
 * without a version.
 *
 * @param error - any thrown value
 * @returns whether it, or one of its causes, is this error
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  const apiError = findApiError(error);
  if (apiError === undefined || !isTimeout(apiError)) return false;
  const causes = apiError.status.details?.causes ?? [];
  return causes.some((cause) => cause.reason === "ResourceVersionTooLarge");
}

/**
 * Resolves like the promise, or to `undefined` if it rejects with a "not found" error. Other errors reject.
 *
 * @param promise - a read or a deletion, for example
 * @returns the value, or `undefined`
 * @throws all other errors of the promise
 *
 * @example
 * const game = await ignoreNotFound(client.get(Game, { namespace, name }));
 * if (game) ctx.log.info("Found the Game", { name });
 */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Resolves like the promise, or to `undefined` if it rejects with an "already exists" error. Other errors reject.
 *
 * @param promise - a creation, for example
 * @returns the value, or `undefined`
 * @throws all other errors of the promise
 *
 * @example
 * await ignoreAlreadyExists(client.create(configMap));
 */
export async function ignoreAlreadyExists<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    throw error;
  }
}
