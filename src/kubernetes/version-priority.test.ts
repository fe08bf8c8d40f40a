import { expect, it } from "vitest";
import { compareVersions } from "./version-priority.ts";

it("sorts versions by the priority of API servers", () => {
  const sorted = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
  expect(compareVersions("v1", "v1")).toBe(0);
});
