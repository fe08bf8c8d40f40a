import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { project } from "../test-support/project.ts";
import { cacheDirectory } from "./store.ts";

const below = (root: string) => join(root, "node_modules/.cache/kubewright");

it("is under the node_modules of the working directory, with or without a package.json", () => {
  const root = project({ "package.json": "{}", "node_modules/x": "", "op/node_modules/y": "" });
  expect(cacheDirectory(join(root, "op"))).toBe(below(join(root, "op")));
});

it("is under the node_modules of the nearest package above, as in a workspace", () => {
  const root = project({ "package.json": "{}", "node_modules/x": "", "packages/op/package.json": "{}" });
  expect(cacheDirectory(join(root, "packages/op"))).toBe(below(root));
});

it("isn't under a node_modules above that belongs to no package, nor made where there is none", () => {
  const root = project({ "node_modules/x": "" });
  mkdirSync(join(root, "op"));
  expect(cacheDirectory(join(root, "op"))).toBeUndefined();
});
