import { expect, it } from "vitest";
import { namedAfter, objectKeyFromObject } from "./object-key.ts";

it("objectKeyFromObject returns the key of an object, without a namespace for cluster-scoped objects", () => {
  const type = { apiVersion: "v1", kind: "Thing" };
  expect(objectKeyFromObject({ ...type, metadata: { namespace: "ns", name: "a", uid: "u" } })).toEqual({
    namespace: "ns",
    name: "a",
  });
  expect(objectKeyFromObject({ ...type, metadata: { name: "a" } })).toEqual({ name: "a" });
  expect(objectKeyFromObject(type)).toEqual({ name: "" });
});

it("namedAfter adds the object's name to a copy of a body without a name", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "ns", name: "a", uid: "u" } };
  const bare = { apiVersion: "policy/v1", kind: "Eviction" };
  expect(namedAfter(pod, bare)).toEqual({ ...bare, metadata: { namespace: "ns", name: "a" } });
  expect(bare).not.toHaveProperty("metadata");
  const own = { ...bare, metadata: { name: "b", labels: { x: "y" } } };
  expect(namedAfter(pod, own)).toEqual({ ...bare, metadata: { namespace: "ns", name: "b", labels: { x: "y" } } });
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
  expect(namedAfter(node, bare)).toEqual({ ...bare, metadata: { name: "n" } });
});
