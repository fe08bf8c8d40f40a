import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { project } from "../test-support/project.ts";
import { cacheDirectory } from "./directory.ts";

const below = (root: string) => join(root, "node_modules/.cache/kubewright");

it("cacheDirectory is under the node_modules of the working directory, with or without a package.json", () => {
  const root = project({ "package.json": "{}", "node_modules/x": "", "op/node_modules/y": "" });
  expect(cacheDirectory(join(root, "op"))).toBe(below(join(root, "op")));
});

it("cacheDirectory is under the node_modules of the nearest parent package, as in a workspace", () => {
  const root = project({ "package.json": "{}", "node_modules/x": "", "packages/op/package.json": "{}" });
  expect(cacheDirectory(join(root, "packages/op"))).toBe(below(root));
});

it("cacheDirectory is undefined if only a node_modules without a package exists above", () => {
  const root = project({ "node_modules/x": "" });
  mkdirSync(join(root, "op"));
  expect(cacheDirectory(join(root, "op"))).toBeUndefined();
});
