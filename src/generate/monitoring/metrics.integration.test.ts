// The metrics of the rules and panels beside the reference, which is written from the runtime's registry.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { alertsOf } from "./alerts.ts";
import { dashboard } from "./dashboard.ts";
import { metricsIn } from "./test-support/expressions.ts";

const operator = { project: "game", job: "game-metrics", controllers: ["game"], lease: "x", hasWebhooks: true };
const reference = readFileSync(new URL("../../../docs/reference/metrics.md", import.meta.url), "utf8");
const documented = new Map(
  [...reference.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name = "", text = ""]) => {
    const [kind = "", by = ""] = /\*(\w+)(?: by)?\*(.*)$/.exec(text)?.slice(1) ?? [];
    return [name, { kind, labels: [...by.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label) }];
  }),
);

it.each([
  ["alerts", alertsOf(operator).map(({ expr }) => expr)],
  ["panels", JSON.stringify(dashboard(operator, [])).match(/(?<="expr":")(?:[^"\\]|\\.)*(?=")/g) ?? []],
])("the %s use only metrics and labels of the reference", (_, expressions) => {
  const used = expressions.flatMap((text) => metricsIn(text.replaceAll('\\"', '"')));
  expect(used.length).toBeGreaterThan(10);
  for (const { name, labels } of used) {
    if (name === "up") continue;
    const metric = documented.get(name.replace(/_bucket$/, ""));
    expect(metric, name).toBeDefined();
    if (name.endsWith("_bucket")) expect(metric?.kind, name).toBe("histogram");
    const allowed = [...(metric?.labels ?? []), "job", "namespace", "pod", "le"];
    expect(
      labels.filter((label) => !allowed.includes(label)),
      name,
    ).toEqual([]);
  }
});
