import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { printedKinds, printerOf } from "./printers.ts";

const { columns } = JSON.parse(readFileSync(new URL("../../data/1.37/columns.json", import.meta.url), "utf8"));

test("each kind with its own columns has cells", () => {
  const shared = ["events.k8s.io/Event"];
  // The real server has columns for this kind, and doesn't use them.
  const unused = ["storage.k8s.io/CSIStorageCapacity"];
  expect(
    printedKinds()
      .filter((kind) => !shared.includes(kind))
      .sort(),
  ).toEqual(
    Object.keys(columns)
      .filter((kind) => !unused.includes(kind))
      .sort(),
  );
});

test("kinds without their own columns have a name and a time", () => {
  const printer = printerOf("", "LimitRange");
  expect(printer.columns.map(({ name, type }) => `${name}: ${type}`)).toEqual(["Name: string", "Created At: date"]);
  expect(printer.cells({ metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" } }, 0, [])).toEqual([
    "a",
    "2026-01-01T00:00:00Z",
  ]);
});

test("columns have the descriptions of the real server", () => {
  const [, ready] = printerOf("", "Pod").columns;
  expect(ready).toEqual({
    name: "Ready",
    type: "string",
    format: "",
    description: "The aggregate readiness state of this pod for accepting traffic.",
    priority: 0,
  });
});
