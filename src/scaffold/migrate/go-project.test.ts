import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { testDirectory } from "../test-support/tree.ts";
import { readGoProject } from "./go-project.ts";

const call = (options: string) =>
  `manifests:\n\tcontroller-gen ${options} paths=./... output:crd:dir=config/crd/bases\n`;

function goProject(files: Readonly<Record<string, string>>): string {
  const root = testDirectory();
  for (const [path, text] of Object.entries({ PROJECT: 'version: "3"\n', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const options = (root: string) => readGoProject(root, "go").generations.crd?.options;

it("reads a Makefile that is a link to another file of the project", () => {
  const root = goProject({ "script/Makefile": call("crd:maxDescLen=0") });
  symlinkSync("script/Makefile", join(root, "Makefile"));
  expect(options(root)).toBe("crd:maxDescLen=0");
});

it("reads the Makefile that make reads, if there are several names", () => {
  expect(options(goProject({ makefile: call("crd:maxDescLen=0") }))).toBe("crd:maxDescLen=0");
  const both = goProject({ GNUmakefile: call("crd:maxDescLen=1"), Makefile: call("crd:maxDescLen=2") });
  expect(options(both)).toBe("crd:maxDescLen=1");
});

it("reads the files that a Makefile includes, also those that include others or each other", () => {
  const root = goProject({
    Makefile: "include build/make/first.mak # tools\n-include missing.mk ../outside.mk\n",
    "build/make/first.mak": "include build/make/rules/manifests.mk Makefile\n",
    "build/make/rules/manifests.mk": call("crd:maxDescLen=0"),
  });
  expect(options(root)).toBe("crd:maxDescLen=0");
});
