import { expect, it } from "vitest";
import { withGenerators } from "./makefile.ts";

const call = (options: string) =>
  `all: build\n\n.PHONY: manifests\nmanifests: ## X.\n\tscaffold generate ${options}\n\nb: c\n`;
const enable = (makefile: string, ...names: string[]) => withGenerators(makefile, { enable: names, disable: [] });
const disable = (makefile: string, ...names: string[]) => withGenerators(makefile, { enable: [], disable: names });

it.each([
  ["crd webhook paths=./... $(FLAGS)", "crd webhook jsonschema paths=./... $(FLAGS)"],
  ["crd:maxDescLen=0", "crd:maxDescLen=0 jsonschema"],
  ["crd output:dir=x paths=./...", "crd jsonschema output:dir=x paths=./..."],
  ["crd && echo done", "crd jsonschema && echo done"],
  ["crd \\\n\t\tpaths=./...", "crd jsonschema \\\n\t\tpaths=./..."],
  ["crd jsonschema:strict=false paths=./...", "crd jsonschema:strict=false paths=./..."],
])("adds a generator before the paths of %j, once", (before, after) => {
  expect(enable(call(before), "jsonschema")).toBe(call(after));
  expect(enable(call(after), "jsonschema")).toBe(call(after));
});

it.each([
  ["crd jsonschema paths=./...", "crd paths=./..."],
  ["crd jsonschema:strict=false paths=./... output:jsonschema:dir=x", "crd paths=./..."],
  ["crd paths=./jsonschema", "crd paths=./jsonschema"],
])("removes a generator and its output rules from %j", (before, after) => {
  expect(disable(call(before), "jsonschema")).toBe(call(after));
});

it("adds nothing to a Makefile without the call, or to other targets", () => {
  expect(enable("manifests:\n\techo\n\nb:\n\tscaffold generate crd\n", "jsonschema")).toBeUndefined();
  expect(enable("", "jsonschema")).toBeUndefined();
});
