import { expect, test } from "vitest";
import { unknownValue } from "./unknown-value.ts";

const licenses = ["apache2", "copyright", "none"];

test("a value near a valid one gets that as its hint", () => {
  expect(unknownValue("--license", "apache", licenses)).toEqual({
    message: '--license "apache" isn\'t valid: it must be apache2, copyright or none',
    hint: "did you mean apache2?",
  });
});

test("a value near none of the valid ones gets no hint", () => {
  expect(unknownValue("--license", "mit", licenses)).not.toHaveProperty("hint");
});

test("the only valid value is listed alone", () => {
  expect(unknownValue("--plugins", "helm/v1", ["ts/v1"]).message).toBe(
    '--plugins "helm/v1" isn\'t valid: it must be ts/v1',
  );
});
