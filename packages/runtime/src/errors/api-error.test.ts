import { describe, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import {
  ignoreAlreadyExists,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooLargeResourceVersion,
} from "./predicates.ts";
import { reasonForCode } from "./status.ts";

describe("ApiError", () => {
  it("contains the Status, its code, reason and message", () => {
    const error = ApiError.notFound({ group: "apps", kind: "Deployment" }, "web");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("ApiError");
    expect(error.code).toBe(404);
    expect(error.reason).toBe("NotFound");
    expect(error.message).toBe('Deployment.apps "web" not found');
    expect(error.status.details).toEqual({ group: "apps", kind: "Deployment", name: "web" });
  });

  it("lists the invalid fields in the message of invalid()", () => {
    const invalid = ApiError.invalid({ group: "myapp.io", kind: "Game" }, "g", [
      { reason: "FieldValueInvalid", field: "spec.replicas", message: "Invalid value: 0: must be at least 1" },
    ]);
    expect(invalid.code).toBe(422);
    expect(invalid.message).toBe('Game.myapp.io "g" is invalid: spec.replicas: Invalid value: 0: must be at least 1');
    expect(invalid.status.details?.causes).toHaveLength(1);
    const two = ApiError.invalid("Game", "g", [{ field: "a", message: "x" }, { message: "y" }]);
    expect(two.message).toBe('Game "g" is invalid: [a: x, y]');
  });

  it("is found in the causes of an error", () => {
    const error = new Error("reading the game failed", { cause: ApiError.notFound("Game", "g") });
    expect(isNotFound(error)).toBe(true);
    const loop = new Error("a");
    loop.cause = loop;
    expect(isNotFound(loop)).toBe(false);
  });

  it("is classified by its reason, and by its code only if the reason is unknown", () => {
    expect(isNotFound(ApiError.create(404, "", "x"))).toBe(true);
    expect(isNotFound(ApiError.create(404, "Expired", "x"))).toBe(false);
    expect(isConflict(ApiError.create(409, "AlreadyExists", "x"))).toBe(false);
    expect(isAlreadyExists(ApiError.create(409, "AlreadyExists", "x"))).toBe(true);
    expect(isConflict(ApiError.create(409, "", "x"))).toBe(true);
    expect(isForbidden(ApiError.forbidden("Pod", "p", "no"))).toBe(true);
    expect(isInvalid(ApiError.invalid("Pod", "p", []))).toBe(true);
  });

  it("matches isGone with the reasons Gone and Expired, and with code 410", () => {
    expect(isGone(ApiError.create(410, "Gone", "x"))).toBe(true);
    expect(isGone(ApiError.create(410, "Expired", "x"))).toBe(true);
    expect(isGone(ApiError.create(410, "", "x"))).toBe(true);
    expect(isGone(new Error("x"))).toBe(false);
  });

  it("matches isTooLargeResourceVersion for a resource version that the server hasn't reached", () => {
    const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
    expect(isTooLargeResourceVersion(ApiError.create(504, "Timeout", "x", { causes }))).toBe(true);
    expect(isTooLargeResourceVersion(ApiError.create(504, "Timeout", "x"))).toBe(false);
  });

  it("becomes undefined in ignoreNotFound and ignoreAlreadyExists, which reject with other errors", async () => {
    await expect(ignoreNotFound(Promise.resolve(1))).resolves.toBe(1);
    await expect(ignoreNotFound(Promise.reject(ApiError.notFound("Pod", "p")))).resolves.toBeUndefined();
    await expect(ignoreAlreadyExists(Promise.reject(ApiError.alreadyExists("Pod", "p")))).resolves.toBeUndefined();
    await expect(ignoreNotFound(Promise.reject(ApiError.badRequest("no")))).rejects.toThrow("no");
  });

  it("gets its reason from the status code if the response has none", () => {
    expect(reasonForCode(409, "POST")).toBe("AlreadyExists");
    expect(reasonForCode(409, "PUT")).toBe("Conflict");
    expect(reasonForCode(502)).toBe("InternalError");
    expect(reasonForCode(418)).toBe("");
  });
});

it("an ApiError of another copy of the module is an ApiError, but not of a subclass", async () => {
  class Special extends ApiError {}
  // @ts-expect-error: the query makes it another module
  const { ApiError: Other } = (await import("./api-error.ts?copy")) as { ApiError: typeof ApiError };
  const error = Other.create(404, "NotFound", "not found");
  expect(Other).not.toBe(ApiError);
  expect(error instanceof ApiError).toBe(true);
  expect(error instanceof Special).toBe(false);
  expect(new Error("not found") instanceof ApiError).toBe(false);
});
