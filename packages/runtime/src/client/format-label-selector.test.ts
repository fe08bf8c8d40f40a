import { expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { fakeClient } from "../testing/fake-client.ts";
import { formatLabelSelector, type LabelSelectorObject } from "./format-label-selector.ts";

const all: LabelSelectorObject = {
  matchLabels: { b: "2", a: "1" },
  matchExpressions: [
    { key: "tier", operator: "In", values: ["web", "db"] },
    { key: "env", operator: "NotIn", values: ["test"] },
    { key: "example.com/owner", operator: "Exists" },
    { key: "old", operator: "DoesNotExist" },
  ],
};

it("converts each operator to kubectl's syntax", () => {
  expect(formatLabelSelector(all)).toBe("a=1,b=2,tier in (web,db),env notin (test),example.com/owner,!old");
  expect(formatLabelSelector({})).toBe("");
});

it.each<[LabelSelectorObject, string]>([
  [{ matchLabels: { "a b": "1" } }, '"a b" isn\'t a valid label key'],
  [{ matchExpressions: [{ key: "a,b", operator: "Exists" }] }, '"a,b" isn\'t a valid label key'],
  [{ matchExpressions: [{ key: "a", operator: "In", values: ["x)"] }] }, '"x)" isn\'t a valid value of the label a'],
  [{ matchExpressions: [{ key: "a", operator: "In" }] }, "a: In must have at least one value"],
  [{ matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] }, "a: Exists must have no values"],
  [{ matchExpressions: [{ key: "a", operator: "Gt" }] }, '"Gt" isn\'t a valid operator'],
])("rejects %j", (selector, message) => {
  expect(() => formatLabelSelector(selector)).toThrow(message);
});

it("selects the objects that match in a list", async () => {
  const settings = (name: string, labels: Record<string, string>) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", labels },
  });
  const labels = { a: "1", b: "2", tier: "db", "example.com/owner": "me" };
  const objects = [settings("all", labels), settings("old", { ...labels, old: "x" }), settings("none", {})];
  const client = fakeClient({ objects });
  const named = async (selector: LabelSelectorObject) =>
    (await client.list(ConfigMap, { labels: formatLabelSelector(selector) })).items.map(
      ({ metadata }) => metadata.name,
    );
  expect(await named(all)).toEqual(["all"]);
  expect(await named({})).toEqual(["all", "none", "old"]);
});
