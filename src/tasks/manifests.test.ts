import { describe, expect, it } from "vitest";
import { manifestsOptions } from "./manifests.ts";

const makefile = (...recipe: string[]) =>
  ["all: build", "", "manifests: ## Generate.", ...recipe, "", "other:", "\tscaffold generate wrong"].join("\n");

describe("the options of make manifests", () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      "are those of the call",
      ["\tscaffold generate crd webhook paths=./... $(GENERATE_FLAGS)"],
      ["crd", "webhook", "paths=./..."],
    ],
    [
      "lose their quotes",
      ["\t@npx scaffold generate crd paths=\"./...\" 'rbac:roleName=a b'"],
      ["crd", "paths=./...", "rbac:roleName=a b"],
    ],
    [
      "may be on several lines",
      ["\tscaffold generate crd \\", "\t  paths=./api/... --strict"],
      ["crd", "paths=./api/...", "--strict"],
    ],
    ["end where another command begins", ["\techo a", "\tscaffold generate crd && echo done"], ["crd"]],
    ["end where a comment begins", ["\tscaffold generate crd # all"], ["crd"]],
    ["are none without a call", ["\techo a"], []],
  ])("%s", (_, recipe, options) => {
    expect(manifestsOptions(makefile(...recipe))).toEqual(options);
  });

  it("are none without the target, whatever other targets call", () => {
    expect(manifestsOptions("generate:\n\tscaffold generate object\nmanifests := a\n")).toEqual([]);
  });
});
