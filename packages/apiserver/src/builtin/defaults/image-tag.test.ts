import { expect, it } from "vitest";
import { imageTag } from "./image-tag.ts";

const digest = `sha256:${"0".repeat(64)}`;

it.each([
  ["app", "latest"],
  ["app:1", "1"],
  ["registry:5000/team/app", "latest"],
  ["registry:5000/team/app:v1.2_a-b", "v1.2_a-b"],
  ["[::1]:5000/app:2", "2"],
  ["Registry/app:3", "3"],
])("finds the tag of %s", (image, tag) => {
  expect(imageTag(image)).toBe(tag);
});

it("a digest replaces the default tag, but not a tag", () => {
  expect(imageTag(`app@${digest}`)).toBe("");
  expect(imageTag(`app:latest@${digest}`)).toBe("latest");
});

it.each(["", " ", "App", "team/App", "a b", "app:", "app@sha256:1", "0".repeat(64)])(
  "finds no tag in the invalid reference '%s'",
  (image) => {
    expect(imageTag(image)).toBe("");
  },
);
