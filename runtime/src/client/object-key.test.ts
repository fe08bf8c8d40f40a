import { expect, it } from "vitest";
import { objectKeyFromObject } from "./object-key.ts";

it("gives the key of an object; a cluster-scoped one has no namespace", () => {
  const type = { apiVersion: "v1", kind: "Thing" };
  expect(objectKeyFromObject({ ...type, metadata: { namespace: "ns", name: "a", uid: "u" } })).toEqual({
    namespace: "ns",
    name: "a",
  });
  expect(objectKeyFromObject({ ...type, metadata: { name: "a" } })).toEqual({ name: "a" });
  expect(objectKeyFromObject(type)).toEqual({ name: "" });
});
