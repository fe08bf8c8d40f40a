// Links are handled as in Go: a linked file belongs to its directory's package, and `./...` skips linked directories.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { project } from "../test-support/project.ts";
import { findPackages, sourceFiles } from "./paths.ts";

const text = "export interface A { a: string }\n";

it("`./...` doesn't follow links to directories, because they can be cyclic", () => {
  const cwd = project({ "api/v1/a.ts": text });
  symlinkSync("v1", join(cwd, "api/linked"));
  symlinkSync("../..", join(cwd, "api/v1/back"));
  expect(findPackages(["./..."], cwd).directories).toEqual([join(cwd, "api/v1")]);
});

it("a path can be a link to a directory", () => {
  const cwd = project({ "elsewhere/v1/a.ts": text });
  symlinkSync("elsewhere", join(cwd, "api"));
  expect(findPackages(["./api/v1"], cwd).directories).toEqual([join(cwd, "api/v1")]);
  expect(findPackages(["./api/..."], cwd).directories).toEqual([join(cwd, "api/v1")]);
});

it("a linked file belongs to the package, but a link to nothing or to a directory doesn't", () => {
  const cwd = project({ "shared/a.ts": text });
  mkdirSync(join(cwd, "api"));
  symlinkSync("../shared/a.ts", join(cwd, "api/a.ts"));
  symlinkSync("nowhere.ts", join(cwd, "api/b.ts"));
  symlinkSync("../shared", join(cwd, "api/c.ts"));
  expect(findPackages(["./..."], cwd).directories).toEqual([join(cwd, "api"), join(cwd, "shared")]);
  expect(sourceFiles(join(cwd, "api"))).toEqual([join(cwd, "api/a.ts")]);
});
