import { describe, expect, it } from "vitest";
import { manifestsOptions } from "./makefile.ts";

const makefile = (...recipe: string[]) =>
  ["all: build", "", "manifests: ## Generate.", ...recipe, "", "other:", "\tscaffold generate wrong"].join("\n");

describe("the options of make manifests", () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      "are read from the call of scaffold generate",
      ["\tscaffold generate crd webhook paths=./... $(GENERATE_FLAGS)"],
      ["crd", "webhook", "paths=./...", "--strict"],
    ],
    [
      "are read without their quotes",
      ["\t@npx scaffold generate crd paths=\"./...\" 'rbac:roleName=a b'"],
      ["crd", "paths=./...", "rbac:roleName=a b"],
    ],
    [
      "can have several lines",
      ["\tscaffold generate crd \\", "\t  paths=./api/... --strict"],
      ["crd", "paths=./api/...", "--strict"],
    ],
    ["end before another command", ["\techo a", "\tscaffold generate crd && echo done"], ["crd"]],
    ["end before a comment", ["\tscaffold generate crd # all"], ["crd"]],
    ["are empty without a call", ["\techo a"], []],
  ])("%s", (_, recipe, options) => {
    expect(manifestsOptions(makefile(...recipe), { GENERATE_FLAGS: "--strict" })).toEqual(options);
  });

  it.each([
    ["set by the Makefile", "crd:maxDescLen=$(LEN)", {}, ["crd:maxDescLen=0"]],
    ["in braces", "crd:maxDescLen=$\u007bLEN}", {}, ["crd:maxDescLen=0"]],
    ["with references to other variables", "$(CRD)", {}, ["crd:maxDescLen=0"]],
    ["with a default and a value in the environment", "paths=$(PATHS)", { PATHS: "./b/..." }, ["paths=./b/..."]],
    ["with only a default", "paths=$(PATHS)", {}, ["paths=./a/..."]],
    ["that aren't set", "crd $(NOTHING)", {}, ["crd"]],
    ["with an escaped dollar", "rbac:roleName=a$$b", {}, ["rbac:roleName=a$b"]],
  ])("contain the values of variables %s", (_, call, env, options) => {
    const variables = "LEN := 0\nCRD = crd:maxDescLen=$(LEN)\nPATHS ?= ./a/...\n";
    expect(manifestsOptions(variables + makefile(`\tscaffold generate ${call}`), env)).toEqual(options);
  });

  it.each(["$(shell ls)", "$(filter a,b)", "$(A:.c=.o)", "$@"])("can't contain %s", (call) => {
    expect(() => manifestsOptions(makefile(`\tscaffold generate crd ${call}`))).toThrow("isn't a plain variable");
  });

  it("can't contain a variable that refers to itself", () => {
    expect(() => manifestsOptions(`A = $(A)\n${makefile("\tscaffold generate $(A)")}`)).toThrow(
      "isn't a plain variable",
    );
  });

  it("are empty without the target, whatever other targets call", () => {
    expect(manifestsOptions("generate:\n\tscaffold generate object\nmanifests := a\n")).toEqual([]);
  });
});
