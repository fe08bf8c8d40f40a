import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import {
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
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from "./predicates.ts";
import { reasonForCode } from "./status.ts";

/** The code and reason of an error, and the only predicate that must return true for it. */
const answers: [code: number, reason: string, predicate: (error: unknown) => boolean][] = [
  [400, "BadRequest", isBadRequest],
  [401, "Unauthorized", isUnauthorized],
  [403, "Forbidden", isForbidden],
  [404, "NotFound", isNotFound],
  [405, "MethodNotAllowed", isMethodNotSupported],
  [406, "NotAcceptable", isNotAcceptable],
  [409, "Conflict", isConflict],
  [410, "Gone", isGone],
  [413, "RequestEntityTooLarge", isRequestEntityTooLarge],
  [415, "UnsupportedMediaType", isUnsupportedMediaType],
  [422, "Invalid", isInvalid],
  [429, "TooManyRequests", isTooManyRequests],
  [500, "InternalError", isInternalError],
  [503, "ServiceUnavailable", isServiceUnavailable],
  [504, "Timeout", isTimeout],
];

it.each(answers)("%i %s matches only its own predicate, also in the causes of an error", (code, reason, predicate) => {
  const error = new Error("sync failed", { cause: ApiError.create(code, reason, "no") });
  const names = answers.map(([, , name]) => name).filter((name) => name(error));
  expect(names).toEqual([predicate]);
});

it.each(answers)("%i with an unknown reason matches the same predicate", (code, reason, predicate) => {
  expect(reasonForCode(code)).toBe(reason);
  expect(predicate(ApiError.create(code, "SomethingNew", "no"))).toBe(true);
});

it("a known reason takes precedence over the code", () => {
  expect(isAlreadyExists(ApiError.create(409, "AlreadyExists", "no"))).toBe(true);
  expect(isConflict(ApiError.create(409, "AlreadyExists", "no"))).toBe(false);
  expect(isServerTimeout(ApiError.create(504, "ServerTimeout", "no"))).toBe(true);
  expect(isTimeout(ApiError.create(504, "ServerTimeout", "no"))).toBe(false);
  for (const predicate of [isGone, isExpired] as const) {
    expect(predicate(ApiError.create(410, "Expired", "no"))).toBe(true);
  }
});

it("reasonForCode returns InternalError for an unknown 5xx code, and an empty string for an unknown 4xx code", () => {
  expect([reasonForCode(409, "POST"), reasonForCode(502), reasonForCode(418)]).toEqual([
    "AlreadyExists",
    "InternalError",
    "",
  ]);
});

it("all predicates return false for errors that aren't a server's response", () => {
  for (const [, , predicate] of answers) {
    for (const error of [new Error("no"), "no", undefined, { code: 404 }]) expect(predicate(error)).toBe(false);
  }
});
