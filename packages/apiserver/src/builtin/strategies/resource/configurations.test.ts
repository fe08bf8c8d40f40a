import { expect, test } from "vitest";
import { configurationErrors } from "./configurations.ts";

test("the name of a driver is checked by declarative rules: its limit counts characters, and its errors come last", () => {
  expect(configurationErrors({ opaque: { driver: "x".repeat(64), parameters: {} } }, "config[0]")).toEqual([
    expect.objectContaining({
      field: "config[0].opaque.driver",
      detail: "may not be more than 63 characters",
      declared: true,
    }),
  ]);
});
