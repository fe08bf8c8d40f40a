import { describe, expect, it } from "vitest";
import { editDocument } from "../yaml/document.ts";
import { projectLevels } from "./diagnostics.ts";

const project = (diagnostics: string) => `domain: example.com
layout:
- ts.kubewright.io/v1
plugins:
  ts.kubewright.io/v1:
    diagnostics: ${diagnostics}
`;

describe("levels of diagnostics in PROJECT", () => {
  it("are in the section of the scaffolder's own plugin", () => {
    expect(projectLevels(editDocument(project("\n      crd-too-big: off\n      bad-pattern: error")))).toEqual({
      levels: { "crd-too-big": "off", "bad-pattern": "error" },
    });
  });

  it.each(["", "domain: example.com\n", "plugins: {}\n", "plugins:\n  ts.kubewright.io/v1: {}\n", "- a\n"])(
    "are empty if PROJECT contains none: %j",
    (text) => {
      expect(projectLevels(editDocument(text))).toEqual({ levels: {} });
    },
  );

  it("cause one error that lists all unknown ones", () => {
    expect(projectLevels(editDocument(project("{ crd-to-big: off, bad-pattern: maybe }")))).toEqual({
      id: "bad-diagnostic-level",
      kind: "state",
      message:
        'PROJECT, plugins."ts.kubewright.io/v1".diagnostics: unknown diagnostic "crd-to-big"; bad-pattern: "maybe" isn\'t a valid level',
      hint: "did you mean `crd-too-big`?\nset bad-pattern to off, warning or error",
    });
    expect(projectLevels(editDocument(project("off")))).toMatchObject({ id: "bad-diagnostic-level" });
  });

  it("cause an error if PROJECT isn't valid YAML", () => {
    expect(projectLevels(editDocument("a: ["))).toMatchObject({ id: "broken-project" });
  });
});
