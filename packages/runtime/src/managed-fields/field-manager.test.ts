import { expect, it } from "vitest";
import { creatorOf, managerOf } from "./field-manager.ts";

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

it("the manager of a change owns the fields and has a changed entry, and isn't simply the newest one", () => {
  const time = "2026-01-01T00:00:00Z";
  const entry = (manager: string, fields: object, at = time) => ({
    manager,
    operation: "Update",
    time: at,
    fieldsV1: fields,
  });
  const replicas = { "f:spec": { "f:replicas": {} } };
  const image = { "f:spec": { "f:image": {} } };
  const before = [entry("controller", { "f:spec": { "f:replicas": {}, "f:image": {} } })];
  // kubectl now owns the field. The entry of the controller, which lost it, has changed, too.
  expect(managerOf([entry("kubectl", replicas), entry("controller", image)], before, ["spec.replicas"])).toBe(
    "kubectl",
  );
  expect(managerOf([entry("controller", image), entry("kubectl", replicas)], before, ["spec.replicas"])).toBe(
    "kubectl",
  );
  const newer = "2026-01-01T00:00:05Z";
  expect(managerOf([entry("old", replicas), entry("new", replicas, newer)], undefined, ["spec.replicas"])).toBe("new");
  expect(managerOf(before, before, ["metadata.deletionTimestamp"])).toBeUndefined();
  expect(managerOf([], before, ["spec.replicas"])).toBeUndefined();
  expect(managerOf(undefined, before, [])).toBeUndefined();
  expect(managerOf(before, undefined, [])).toBe("controller");
});

it("the manager of a change in the same second as its last one is the one that owns the fields", () => {
  const entry = (manager: string, ...fields: string[]) => ({
    manager,
    operation: "Update",
    time: "2026-01-01T00:00:00Z",
    fieldsV1: { "f:metadata": { "f:annotations": Object.fromEntries(fields.map((name) => [`f:${name}`, {}])) } },
  });
  const both = [entry("a", "example.io/x"), entry("b", "example.io/y")];
  expect(managerOf(both, both, ["metadata.annotations.example.io/x"])).toBe("a");
  expect(managerOf(both, both, ["metadata.annotations.example.io/y"])).toBe("b");
  // b changes a field that both own. Only the entry of a changes, because a loses the field.
  const shared = [entry("a", "example.io/x", "example.io/y"), entry("b", "example.io/y")];
  expect(managerOf(both, shared, ["metadata.annotations.example.io/y"])).toBe("b");
});
