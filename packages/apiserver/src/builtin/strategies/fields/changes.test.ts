import { describe, expect, it } from "vitest";
import { internalForm } from "../../codec/internal-form.ts";
import { changes, unifiedDiff } from "./changes.ts";

describe("internalForm", () => {
  it("names fields as Go does, and includes absent fields with their zero values", () => {
    expect(internalForm("core.Toleration", { key: "a" })).toEqual({
      Key: "a",
      Operator: "",
      Value: "",
      Effect: "",
      TolerationSeconds: null,
    });
    expect(internalForm("[]core.Toleration", undefined)).toBe(null);
    expect(internalForm("*core.Affinity", undefined)).toBe(null);
  });

  it("keeps the JSON names of types that are the same in all versions", () => {
    const selector = { matchLabels: { app: "a" } };
    const form = internalForm("core.PersistentVolumeClaimSpec", { selector });
    expect(form).toMatchObject({ Selector: selector, Resources: { Limits: null, Requests: null } });
  });

  it("inlines embedded fields and metadata", () => {
    const template = { metadata: { labels: { app: "a" } }, spec: { volumes: [{ name: "v", emptyDir: {} }] } };
    expect(internalForm("core.PodTemplateSpec", template)).toMatchObject({
      labels: { app: "a" },
      Spec: { Volumes: [{ Name: "v", HostPath: null, EmptyDir: { Medium: "", SizeLimit: null } }] },
    });
  });

  it("has the fields about host namespaces beside the security context", () => {
    expect(internalForm("core.PodSpec", { hostNetwork: true, securityContext: { runAsUser: 1 } })).toMatchObject({
      HostNetwork: true,
      HostPID: false,
      ShareProcessNamespace: null,
      SecurityContext: { RunAsUser: 1 },
    });
  });

  it("rejects a type that wasn't extracted", () => {
    expect(() => internalForm("core.Nothing", {})).toThrow("core.Nothing: not among the internal types");
  });
});

it("changes are shown with three lines of context and Go's escapes", () => {
  const [before, now] = ["<a>", "b"].map((value) => ({ key: "k", operator: "Equal", value, effect: "NoSchedule" }));
  expect(changes("core.Toleration", before, now)).toBe(
    [
      "@@ -1,7 +1,7 @@",
      " {",
      '  "Key": "k",',
      '  "Operator": "Equal",',
      '- "Value": "\\u003ca\\u003e",',
      '+ "Value": "b",',
      '  "Effect": "NoSchedule",',
      '  "TolerationSeconds": null',
      " }",
      "",
    ].join("\n"),
  );
});

describe("unifiedDiff", () => {
  const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

  it("is empty for equal texts", () => expect(unifiedDiff(lines(3), lines(3))).toBe(""));

  it("joins changes with at most six lines between them, and separates others", () => {
    const heads = (places: number[]): number =>
      unifiedDiff(
        lines(40),
        lines(40).map((line, index) => (places.includes(index) ? "new" : line)),
      ).match(/^@@/gm)?.length ?? 0;
    expect(heads([10, 17])).toBe(1);
    expect(heads([10, 18])).toBe(2);
  });

  it("counts lines from 1, omits the count 1, and uses the previous line for the count 0", () => {
    expect(unifiedDiff(["a"], ["b"])).toBe("@@ -1 +1 @@\n-a\n+b\n");
    expect(unifiedDiff([], ["b"])).toBe("@@ -0,0 +1 @@\n+b\n");
    expect(unifiedDiff(["a", "b"], ["a"])).toBe("@@ -1,2 +1 @@\n a\n-b\n");
  });

  it("ignores very frequent lines when it compares long texts", () => {
    const text = lines(100).flatMap((line) => [line, "{", "}"]);
    expect(unifiedDiff(text, [...text.slice(0, 150), ...text.slice(151)])).toBe(
      "@@ -148,7 +148,6 @@\n line 49\n {\n }\n-line 50\n {\n }\n line 51\n",
    );
  });
});
