import { expect, it } from "vitest";
import { withWebhooks } from "./go-markers.ts";

const file = (...lines: string[]) => ["}", "", ...lines, "export class A {}", ""].join("\n");
const marker = "// +kubebuilder:webhook:path=/a,mutating=true";

it("withWebhooks keeps one empty line where it removes all markers", () => {
  expect(withWebhooks(file(marker, ""), new Map())).toBe(file());
  expect(withWebhooks(file(marker), new Map())).toBe(file());
  const own = new Map([["/a", [{ text: "+kubebuilder:webhook:path=/a", at: "a.go:1" }]]]);
  expect(withWebhooks(file(marker, ""), own)).toBe(file("// +kubebuilder:webhook:path=/a", ""));
});
