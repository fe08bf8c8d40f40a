import { describe, expect, it } from "vitest";
import { generationsOf } from "./makefile.ts";

const read = (...recipes: string[]) =>
  generationsOf([{ path: "Makefile", text: recipes.map((line) => `${line}\n`).join("") }]);
const manifests = (...recipe: string[]) => read("manifests:", ...recipe.map((line) => `\t${line}`));

describe("the calls of controller-gen in a Makefile", () => {
  it("are kubebuilder's without a Makefile", () => {
    expect(generationsOf([])).toMatchObject({ rbac: { options: "rbac:roleName=manager-role", paths: ["..."] } });
  });

  it("have options in variables, over several lines, and with quotes", () => {
    const found = read(
      "OPTIONS = generateEmbeddedObjectMeta=true",
      'CRD_OPTIONS ?= "crd:crdVersions=v1,$(OPTIONS)"',
      "manifests: controller-gen ## Generate.",
      "\t@$(CONTROLLER_GEN) \\",
      "\t\t$(CRD_OPTIONS) \\",
      "\t\twebhook paths='./api/...' \\",
      "\t\toutput:crd:artifacts:config=config/crd/bases",
    );
    expect(found.crd).toMatchObject({
      options: "crd:crdVersions=v1,generateEmbeddedObjectMeta=true",
      paths: ["api/..."],
    });
    expect(found).toMatchObject({ webhook: { options: "webhook" }, notes: [] });
    expect(found.rbac).toBeUndefined();
  });

  it("have lists of paths, each with its own option, in braces, or with semicolons", () => {
    expect(manifests('c crd paths="{./a/..., ./b}"').crd?.paths).toEqual(["a/...", "b"]);
    expect(manifests('c crd paths="./a/...;./b"').crd?.paths).toEqual(["a/...", "b"]);
    expect(manifests("c crd paths=./a/... paths=./b").crd?.paths).toEqual(["a/...", "b"]);
  });

  it("may run in a directory", () => {
    const found = manifests('cd apis; $(abspath $<) crd paths="./..." output:crd:artifacts:config=../config/crd/bases');
    expect(found.crd).toEqual({ options: "crd", paths: ["apis/..."], output: "config/crd/bases" });
    expect(found.notes).toEqual([]);
  });

  it("replace the output of earlier ones, except for CRDs, which have a file each", () => {
    const found = manifests("c rbac:roleName=a crd paths=./a", "c rbac:roleName=b crd paths=./b");
    expect(found.rbac).toMatchObject({ options: "rbac:roleName=b", paths: ["b"] });
    expect(found.crd?.paths).toEqual(["a", "b"]);
  });

  it("of a second program are listed with their lines", () => {
    const found = manifests(
      "c rbac:roleName=manager-role paths=./hub output:rbac:artifacts:config=config/rbac-hub",
      "c rbac:roleName=manager-role paths=./main output:rbac:artifacts:config=config/rbac",
    );
    expect(found.rbac?.paths).toEqual(["main"]);
    expect(found.notes).toEqual([
      "not taken over: Makefile:2 writes rbac:roleName=manager-role of hub to config/rbac-hub, besides config/rbac",
    ]);
  });

  it("count if their directory contains output, because calls that find no markers write none", () => {
    const makefile = [
      "manifests:",
      "\tcd hooks; c rbac:roleName=a webhook paths=./... output:webhook:dir=../base/webhook",
      "\tc rbac:roleName=b paths=./... output:rbac:artifacts:config=base/rbac",
    ];
    const found = generationsOf([{ path: "Makefile", text: `${makefile.join("\n")}\n` }], (directory) =>
      directory.startsWith("base/"),
    );
    expect(found.rbac).toEqual({ options: "rbac:roleName=b", paths: ["..."], output: "base/rbac" });
    expect(found.webhook).toEqual({ options: "webhook", paths: ["hooks/..."], output: "base/webhook" });
    expect(found.notes).toEqual([]);
  });

  it("in other targets count only if there are none in manifests", () => {
    expect(read("bundle:", "\tc crd:maxDescLen=0 paths=./...").crd?.options).toBe("crd:maxDescLen=0");
    const both = read("manifests:", "\tc crd paths=./...", "bundle:", "\tc crd:maxDescLen=0 paths=./...");
    expect(both.crd?.options).toBe("crd");
  });

  it("that only make can evaluate are listed", () => {
    expect(manifests("c crd:maxDescLen=$(shell cat length) paths=./...").notes).toEqual([
      "Makefile:2 has options of controller-gen that can't be read: compare them with the new Makefile",
    ]);
    expect(manifests("c crd paths=./... output:crd:dir=$(or $(OUT),config)/crd/bases")).toMatchObject({
      crd: { output: "config/crd/bases" },
      notes: [],
    });
  });

  it("may be in a file that the Makefile includes, with variables of both", () => {
    const files = [
      { path: "Makefile", text: "ROLE = my-role\ninclude make/*.mk\n" },
      { path: "make/gen.mk", text: "manifests:\n\tc rbac:roleName=$(ROLE) paths=./...\n" },
    ];
    expect(generationsOf(files).rbac?.options).toBe("rbac:roleName=my-role");
  });
});
