import { expect, test } from "vitest";
import { unknownValue } from "./unknown-value.ts";

const licenses = ["apache2", "copyright", "none"];

test("unknownValue returns a hint with a similar valid value", () => {
  expect(unknownValue("--license", "apache", licenses)).toEqual({
    message: '--license "apache" isn\'t valid: it must be apache2, copyright or none',
    hint: "did you mean apache2?",
  });
});

test("unknownValue returns no hint if no valid value is similar", () => {
  expect(unknownValue("--license", "mit", licenses)).not.toHaveProperty("hint");
});

test("unknownValue lists a single valid value alone", () => {
  expect(unknownValue("--plugins", "helm/v1", ["ts/v1"]).message).toBe(
    '--plugins "helm/v1" isn\'t valid: it must be ts/v1',
  );
});
