import { expect, it } from "vitest";
import { CliError, usageError } from "./errors.ts";

it("long values of a wrong call are shortened in its message and hint", () => {
  const value = "a/".repeat(50_000);
  const { message, hint } = usageError(`--replay ${value}: can't be read`, `for example: --replay ${value}`);
  expect(message).toBe(`--replay ${"a/".repeat(28)}a...: can't be read`);
  expect(hint).toBe(`for example: --replay ${"a/".repeat(28)}a...`);
});

it("messages about work that failed stay whole", () => {
  const path = "a/".repeat(500);
  expect(new CliError(1, "system", `${path}: full`, path)).toMatchObject({ message: `${path}: full`, hint: path });
});
