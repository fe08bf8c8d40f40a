import { expect, it } from "vitest";
import { ObjectTracker } from "./object-tracker.ts";

const created = "2026-01-01T00:00:00Z";
const later = "2026-01-01T00:05:00Z";
const kubectl = { manager: "kubectl-create", operation: "Update", time: created };
const operator = { manager: "game", operation: "Apply", time: later };

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
