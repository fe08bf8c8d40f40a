import { expect, it } from "vitest";
import { selection } from "./selected.ts";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", namespace: "x", labels: { app: "web" } },
  spec: { nodeName: "n1" },
};

it.each([
  [{}, true],
  [{ labelSelector: "app=web" }, true],
  [{ labelSelector: "app in (db)" }, false],
  [{ fieldSelector: "metadata.name=a" }, true],
  [{ fieldSelector: "metadata.name!=a" }, false],
  [{ fieldSelector: "metadata.namespace==x,spec.nodeName=n1" }, true],
  [{ fieldSelector: "spec.nodeName=" }, false],
  [{ fieldSelector: "status.phase=" }, true],
  [{ labelSelector: "app=web", fieldSelector: "spec.nodeName=n2" }, false],
])("%j selects the Pod: %s", (query, expected) => {
  expect(selection(query)(pod)).toBe(expected);
});
