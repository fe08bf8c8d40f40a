import { expect, it } from "vitest";
import { creatorOf } from "./field-manager.ts";
import { ObjectTracker } from "./object-tracker.ts";

const created = "2026-01-01T00:00:00Z";
const later = "2026-01-01T00:05:00Z";
const kubectl = { manager: "kubectl-create", operation: "Update", time: created };
const operator = { manager: "game", operation: "Apply", time: later };

it("the creator is known only if one manager has an entry with the time of the creation", () => {
  expect(creatorOf([operator, kubectl], created)).toBe("kubectl-create");
  // The operator has written the status within the same second.
  expect(creatorOf([{ ...operator, time: created, subresource: "status" }, kubectl], created)).toBe("kubectl-create");
  expect(creatorOf([{ ...operator, time: created }, kubectl], created)).toBeUndefined();
  // kubectl has changed the object later.
  expect(creatorOf([operator, { ...kubectl, time: later }], created)).toBeUndefined();
  expect(creatorOf([], created)).toBeUndefined();
  expect(creatorOf(undefined, undefined)).toBeUndefined();
});

it("an object that existed before has its creator, not its latest writer", () => {
  const tracker = new ObjectTracker(1000);
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", resourceVersion: "7", creationTimestamp: created, managedFields: [kubectl, operator] },
  } as never;
  tracker.saw(object);
  expect(tracker.change(object)).toMatchObject({ creator: "kubectl-create" });
});
