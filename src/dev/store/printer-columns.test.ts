import { expect, it } from "vitest";
import { columnsOf, printedColumns } from "./printer-columns.ts";

it("printer columns have the values that kubectl prints", () => {
  const column = (name: string, jsonPath: string, more: object = {}) => ({ name, type: "string", jsonPath, ...more });
  const definition = {
    spec: {
      versions: [
        {
          name: "v1",
          additionalPrinterColumns: [
            column("Replicas", ".spec.replicas"),
            column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
            column("First", ".spec.hosts[0]"),
            column("All", ".spec.hosts[*]"),
            column("Label", ".metadata.labels.example\\.com/name"),
            column("Wide", ".spec.image", { priority: 1 }),
            column("Age", ".metadata.creationTimestamp", { type: "date" }),
            column("Wrong", "{.spec}"),
          ],
        },
      ],
    },
  } as never;
  const columns = columnsOf(definition, "v1");
  const object = {
    metadata: { labels: { "example.com/name": "chess" } },
    spec: { replicas: 0, hosts: ["a.io", "b.io"] },
    status: {
      conditions: [
        { type: "Ready", status: "False" },
        { type: "Other", status: "True" },
      ],
    },
  } as never;
  expect(printedColumns(object, columns)).toEqual([
    { name: "Replicas", value: "0" },
    { name: "Ready", value: "False" },
    { name: "First", value: "a.io" },
    { name: "All", value: "a.io,b.io" },
    { name: "Label", value: "chess" },
    { name: "Wrong", value: "" },
  ]);
  expect(columnsOf(definition, "v2")).toEqual([]);
});
