// Violates each layer rule once in a temporary tree, to check that the rules can fail.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser";
import { afterEach, expect, it } from "vitest";
import rules, { apiserverLayers } from "../.dependency-cruiser.mjs";

const trees: string[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

async function violations(files: Record<string, string>): Promise<string[]> {
  const tree = mkdtempSync(join(tmpdir(), "kubewright-layers-"));
  trees.push(tree);
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(tree, "node_modules"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const { tsConfig: _, ...options } = rules.options;
  const tops = [...new Set(Object.keys(files).map((path) => path.split("/")[0] ?? path))];
  const { output } = await cruise(tops, {
    ...options,
    ruleSet: rules as unknown as IFlattenedRuleSet,
    validate: true,
    baseDir: tree,
  });
  return (output as ICruiseResult).summary.violations.map((violation) => violation.rule.name).sort();
}

const anything = "export const a = 1;\n";

it.each([
  ["compiler-behind-source", "src/generate/schema/x.ts", 'import "ts-morph";\n', {}],
  ["programs-in-one-place", "src/tasks/x.ts", 'import { execa } from "execa";\n', {}],
  ["programs-in-one-place", "src/tasks/x.ts", 'import { spawn } from "node:child_process";\n', {}],
  ["cli-is-the-top", "src/diagnostics/x.ts", 'import "../cli/y.ts";\n', { "src/cli/y.ts": anything }],
  [
    "runtime-alone",
    "packages/runtime/src/cache/x.ts",
    'import "../../../../src/cli/y.ts";\n',
    { "src/cli/y.ts": anything },
  ],
  [
    "source-first",
    "src/generate/source/x.ts",
    'import "../markers/y.ts";\n',
    { "src/generate/markers/y.ts": anything },
  ],
  [
    "client-below-cache",
    "packages/runtime/src/client/x.ts",
    'import "../cache/y.ts";\n',
    { "packages/runtime/src/cache/y.ts": anything },
  ],
  ["cel-in-browsers", "packages/cel/src/json/x.ts", 'import "node:fs";\n', {}],
  [
    "packages-by-name",
    "packages/runtime/src/json/x.ts",
    'import "../../../cel/src/quantity/index.ts";\n',
    { "packages/cel/src/quantity/index.ts": anything },
  ],
  [
    "package-entry-points",
    "packages/runtime/src/json/x.ts",
    'import "../../../cel/src/quantity/y.ts";\n',
    { "packages/cel/src/quantity/y.ts": anything },
  ],
  [
    "command-line-by-name",
    "src/yaml/x.ts",
    'import "../../packages/cel/src/yaml/index.ts";\n',
    { "packages/cel/src/yaml/index.ts": anything },
  ],
  [
    "apiserver-model",
    "packages/apiserver/src/model/x.ts",
    'import type { A } from "../storage/y.ts";\n',
    { "packages/apiserver/src/storage/y.ts": "export type A = 1;\n" },
  ],
  [
    "apiserver-registry",
    "packages/apiserver/src/registry/x.ts",
    'import "../webhook/y.ts";\n',
    { "packages/apiserver/src/webhook/y.ts": anything },
  ],
  ["e2e-outside", "e2e/game/x.test.ts", 'import "../../src/cli/y.ts";\n', { "src/cli/y.ts": anything }],
  [
    "e2e-outside",
    "e2e/game/x.ts",
    'import "../../packages/runtime/src/y.ts";\n',
    { "packages/runtime/src/y.ts": anything },
  ],
  ["test-tools-apart", "bench/x.ts", 'import "../conformance/y.ts";\n', { "conformance/y.ts": anything }],
  ["test-tools-apart", "conformance/x.test.ts", 'import "../e2e/lib/y.ts";\n', { "e2e/lib/y.ts": anything }],
  [
    "exports-by-name",
    "conformance/x.test.ts",
    'import "../packages/runtime/src/envtest/index.ts";\n',
    { "packages/runtime/src/envtest/index.ts": anything },
  ],
  ["shared-tools-alone", "scripts/lib/x.ts", 'import "../../src/cli/y.ts";\n', { "src/cli/y.ts": anything }],
  [
    "chart-entry-point",
    "src/scaffold/x.test.ts",
    'import "./chart/model.ts";\n',
    { "src/scaffold/chart/model.ts": anything },
  ],
  [
    "kustomize-entry-point",
    "src/scaffold/chart/x.ts",
    'import "../kustomize/sections.ts";\n',
    { "src/scaffold/kustomize/sections.ts": anything },
  ],
  [
    "kustomize-build-entry-point",
    "src/scaffold/kustomize/x.ts",
    'import "./build/resource.ts";\n',
    { "src/scaffold/kustomize/build/resource.ts": anything },
  ],
  ["no-unresolved", "src/project/x.ts", 'import "./missing.ts";\n', {}],
])("a violation of %s is found", async (rule, path, text, others) => {
  expect(await violations({ [path]: text, ...others })).toContain(rule);
});

it("the layers of the API server contain all its folders, and are those of CONTRIBUTING.md", () => {
  const root = join(import.meta.dirname, "..");
  const entries = readdirSync(join(root, "packages/apiserver/src"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(apiserverLayers.flat().sort()).toEqual(folders.sort());
  const drawing = apiserverLayers.map((layer) => `\`${layer.join(" ")}\``).join(" ← ");
  expect(readFileSync(join(root, "CONTRIBUTING.md"), "utf8")).toContain(drawing);
});

it("a cycle of type imports is found", async () => {
  const rules = await violations({
    "src/project/a.ts": 'import type { B } from "./b.ts";\nexport type A = B;\n',
    "src/project/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | string;\n',
  });
  expect(rules).toContain("no-cycles");
});

it("imports in the allowed direction aren't reported", async () => {
  expect(
    await violations({
      "src/cli/x.ts": 'import "../diagnostics/y.ts";\nimport "../generate/source/z.ts";\n',
      "src/cli/y.ts": 'import "../scaffold/chart/plan.ts";\nimport "../scaffold/kustomize/build/build.ts";\n',
      "src/scaffold/chart/plan.ts": 'import "../kustomize/switch.ts";\n',
      "src/scaffold/kustomize/switch.ts": anything,
      "src/scaffold/kustomize/build/build.ts": anything,
      "src/diagnostics/y.ts": anything,
      "src/generate/source/z.ts": 'import "ts-morph";\n',
      "conformance/x.ts": 'import "../src/cli/x.ts";\nimport "./y.ts";\nimport "../scripts/lib/y.ts";\n',
      "conformance/y.ts": anything,
      "scripts/lib/y.ts": anything,
    }),
  ).toEqual([]);
});
