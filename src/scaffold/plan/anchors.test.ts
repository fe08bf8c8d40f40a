import { expect, it } from "vitest";
import { ProblemError } from "../../project/problem-error.ts";
import { openTree } from "../files/tree.ts";
import { testDirectory } from "../test-support/tree.ts";
import { insertAtAnchor } from "./anchors.ts";
import { PlanBuilder } from "./plan.ts";

const main = "import a;\n// +kubebuilder:scaffold:imports\n\n  // +kubebuilder:scaffold:builder\nend\n";
const insertion = { anchor: "builder", lines: ["one();", "two();"] };

function failure(text: string, file = "src/main.ts"): ProblemError {
  try {
    insertAtAnchor(text, file, insertion);
  } catch (error) {
    if (error instanceof ProblemError) return error;
  }
  throw new Error("the anchor was found");
}

it("insertAtAnchor inserts lines above the anchor, with its indentation", () => {
  expect(insertAtAnchor(main, "src/main.ts", insertion)).toBe(
    "import a;\n// +kubebuilder:scaffold:imports\n\n  one();\n  two();\n  // +kubebuilder:scaffold:builder\nend\n",
  );
});

it("insertAtAnchor inserts nothing the second time, whatever the whitespace", () => {
  const once = insertAtAnchor(main, "src/main.ts", insertion);
  expect(insertAtAnchor(once, "src/main.ts", insertion)).toBe(once);
  const reformatted = once.replace("  one();", "\tone();   ");
  expect(insertAtAnchor(reformatted, "src/main.ts", insertion)).toBe(reformatted);
});

it("insertAtAnchor keeps Windows line breaks", () => {
  const windows = main.replaceAll("\n", "\r\n");
  const changed = insertAtAnchor(windows, "src/main.ts", insertion);
  expect(changed.replaceAll("\r\n", "")).not.toContain("\n");
  expect(changed).toContain("  one();\r\n  two();\r\n");
});

it("insertAtAnchor keeps braces of other template languages", () => {
  const text = "const a = `{{ .Name }}`;\n// +kubebuilder:scaffold:builder\n";
  expect(insertAtAnchor(text, "src/main.ts", { anchor: "builder", lines: ["{{x}}"] })).toBe(
    "const a = `{{ .Name }}`;\n{{x}}\n// +kubebuilder:scaffold:builder\n",
  );
});

it("insertAtAnchor reports a missing anchor with the file and the lines", () => {
  const error = failure("end\n");
  expect(error.id).toBe("missing-anchor");
  expect(error.message).toContain('src/main.ts has no line "// +kubebuilder:scaffold:builder"');
  expect(error.hint).toContain("    one();\n    two();");
});

it.each([
  "// + kubebuilder:scaffold:builder",
  "// +kubebuilder:scafold:builder",
  "// +kubebuilder:scaffold:Builder",
  "// +kubebuilder:scaffold:builders",
  "// +kubebuilder:scaffold:bilder",
  "// kubebuilder:scaffold:builder",
  "// +kubebilder:scaffold:builder",
  "// +scaffold:builder",
  "// +kubebuilder:scaffold:builder (keep)",
  "//+kubebuilder:scaffold: builder",
])("insertAtAnchor reports the line of a misspelled anchor: %s", (line) => {
  expect(failure(`a\n${line}\n`).message).toContain("(line 2 looks like it");
});

it("insertAtAnchor reports an anchor with # in YAML", () => {
  expect(failure("resources:\n", "config/crd/kustomization.yaml").message).toContain(
    '"# +kubebuilder:scaffold:builder"',
  );
});

it("insertAtAnchor reports the line of the misspelled anchor, not of another anchor", () => {
  const text = main.replace("scaffold:builder", "scaffold:bilder");
  expect(failure(text).message).toContain('(line 4 looks like it: "// +kubebuilder:scaffold:bilder")');
  expect(failure(main.replace(/.*scaffold:builder\n/, "")).message).not.toContain("looks like it");
});

it("PlanBuilder reports line numbers of the user's file, not of the changed text", () => {
  const root = testDirectory({ "main.ts": main.replace("scaffold:builder", "scaffold:bilder") });
  const plan = new PlanBuilder(openTree(root), {});
  plan.insert("main.ts", { anchor: "imports", lines: ["import b;"] });
  expect(() => plan.insert("main.ts", insertion)).toThrow("(line 4 looks like it");
});
