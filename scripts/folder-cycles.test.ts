import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { folderGraph, shortestCycle } from "./folder-cycles.ts";

const checkout = join(import.meta.dirname, "..");
const depths = [1, 2, 3, undefined];

describe("folders form no cycle", () => {
  const roots = ["src", ...["apiserver", "cel", "dashboard", "runtime"].map((name) => `packages/${name}/src`)];

  it.each(roots)("in %s", (root) => {
    for (const depth of depths) {
      const graph = folderGraph(join(checkout, root), depth);
      expect(graph.size).toBeGreaterThan(1);
      expect(shortestCycle(graph)).toEqual([]);
    }
  });
});

describe("a cycle of folders is found", () => {
  const trees: string[] = [];
  afterEach(() => {
    for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
  });

  const cycleOf = (files: Record<string, string>, depth?: number): readonly string[] => {
    const tree = mkdtempSync(join(tmpdir(), "kubewright-folders-"));
    trees.push(tree);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    return shortestCycle(folderGraph(tree, depth));
  };

  it("by values, types and imports on demand", () => {
    const files = {
      "a/one.ts": 'import { two } from "../b/two.ts";\nexport const one = two;\n',
      "b/two.ts": "export const two = 2;\n",
      "b/three.ts": 'export type { Four } from "../c/four.ts";\n',
      "c/four.ts": 'export interface Four {}\nexport const load = () => import("../a/one.ts");\n',
    };
    expect(cycleOf(files)).toEqual([
      "a/one.ts imports b/two.ts",
      "b/three.ts imports c/four.ts",
      "c/four.ts imports a/one.ts",
    ]);
  });

  it("between a folder and the folder that contains it", () => {
    const files = {
      "a/top.ts": 'import "./inner/leaf.ts";\n',
      "a/inner/leaf.ts": 'import type { Name } from "../name.ts";\n',
      "a/name.ts": "export type Name = string;\n",
    };
    expect(cycleOf(files)).toEqual(["a/top.ts imports a/inner/leaf.ts", "a/inner/leaf.ts imports a/name.ts"]);
  });

  it("that only the upper folders form", () => {
    const files = {
      "a/x/one.ts": 'import "../../b/x/two.ts";\n',
      "b/x/two.ts": "",
      "b/y/three.ts": 'import "../../a/y/four.ts";\n',
      "a/y/four.ts": "",
    };
    expect(cycleOf(files)).toEqual([]);
    expect(cycleOf(files, 1)).toEqual(["a/x/one.ts imports b/x/two.ts", "b/y/three.ts imports a/y/four.ts"]);
  });

  it("but not in tests", () => {
    const files = { "a/one.ts": 'import "../b/two.ts";\n', "b/two.ts": "", "b/two.test.ts": 'import "../a/one.ts";\n' };
    expect(cycleOf(files)).toEqual([]);
  });
});
