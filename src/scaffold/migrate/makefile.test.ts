import { describe, expect, it } from "vitest";
import { generationsOf } from "./makefile.ts";

const read = (...recipes: string[]) =>
  generationsOf({ makefiles: [{ path: "Makefile", text: recipes.map((line) => `${line}\n`).join("") }] });
const manifests = (...recipe: string[]) => read("manifests:", ...recipe.map((line) => `\t${line}`));

describe("the calls of controller-gen in a Makefile", () => {
  it("are kubebuilder's without a Makefile", () => {
    expect(generationsOf({ makefiles: [] })).toMatchObject({
      rbac: { options: "rbac:roleName=manager-role", paths: ["..."] },
    });
  });

  it("have options in variables, over several lines, and with quotes", () => {
    const generations = read(
      "OPTIONS = generateEmbeddedObjectMeta=true",
      'CRD_OPTIONS ?= "crd:crdVersions=v1,$(OPTIONS)"',
      "manifests: controller-gen ## Generate.",
      "\t@$(CONTROLLER_GEN) \\",
      "\t\t$(CRD_OPTIONS) \\",
      "\t\twebhook paths='./api/...' \\",
      "\t\toutput:crd:artifacts:config=config/crd/bases",
    );
    expect(generations.crd).toMatchObject({
      options: "crd:crdVersions=v1,generateEmbeddedObjectMeta=true",
      paths: ["api/..."],
    });
    expect(generations).toMatchObject({ webhook: { options: "webhook" }, notes: [] });
    expect(generations.rbac).toBeUndefined();
  });

  it("have lists of paths, each with its own option, in braces, or with semicolons", () => {
    expect(manifests('c crd paths="{./a/..., ./b}"').crd?.paths).toEqual(["a/...", "b"]);
    expect(manifests('c crd paths="./a/...;./b"').crd?.paths).toEqual(["a/...", "b"]);
    expect(manifests("c crd paths=./a/... paths=./b").crd?.paths).toEqual(["a/...", "b"]);
  });

  it("have paths that go list returns, without those that grep leaves out", () => {
    const generations = read(
      "packages := {$(shell go list ./... | grep -v /cloud | tr '\\n' ',')}",
      "manifests:",
      '\tc crd paths="$(packages)"',
    );
    expect(generations).toMatchObject({ crd: { paths: ["...", "!/cloud"] }, notes: [] });
  });

  it("read all packages if the paths can't be read, with a note", () => {
    const { crd, notes } = manifests('c crd paths="$(shell hack/packages.sh)"');
    expect(crd?.paths).toEqual(["..."]);
    expect(notes).toEqual([expect.stringContaining("Makefile:2 has options of controller-gen that can't be read")]);
  });

  it.each([
    ["the branch that holds", "", "config"],
    ["the other branch", "PLATFORM = b", "config/b"],
    ["a further condition", "PLATFORM = c", "config/c"],
  ])("depend on the conditions of make: %s", (_, first, directory) => {
    const generations = read(
      first,
      "PLATFORM ?= a",
      "ifeq ($(PLATFORM),a)",
      "\tDIRECTORY = config",
      "else ifeq ($(PLATFORM), c)",
      "\tDIRECTORY = config/c",
      "else",
      "  DIRECTORY = config/b",
      "endif",
      "manifests:",
      "ifdef UNSET",
      "\tc crd:maxDescLen=0 paths=./... output:crd:dir=other",
      "endif",
      "\tc crd paths=./... output:crd:dir=$(DIRECTORY)/crd",
    );
    expect(generations).toEqual({
      crd: { options: "crd", paths: ["..."], output: `${directory}/crd` },
      notes: [],
    });
  });

  it("in all branches of a condition that can't be read count", () => {
    const generations = read(
      "ifeq ($(shell uname),Linux)",
      "manifests:",
      "\tc crd paths=./a",
      "else",
      "manifests:",
      "\tc crd paths=./b",
      "endif",
    );
    expect(generations.crd?.paths).toEqual(["a", "b"]);
  });

  it("may run in a directory", () => {
    const generations = manifests(
      'cd apis; $(abspath $<) crd paths="./..." output:crd:artifacts:config=../config/crd/bases',
    );
    expect(generations.crd).toEqual({ options: "crd", paths: ["apis/..."], output: "config/crd/bases" });
    expect(generations.notes).toEqual([]);
  });

  it("may run in a subshell", () => {
    expect(manifests("(cd apis && controller-gen crd output:crd:dir=../config/crd/bases paths=./...)").crd).toEqual({
      options: "crd",
      paths: ["apis/..."],
      output: "config/crd/bases",
    });
    expect(manifests("(cd apis; controller-gen crd paths=./... output:crd:dir=../deploy) && true").crd?.output).toBe(
      "deploy",
    );
  });

  it("replace the output of earlier ones, except for CRDs, which have a file each", () => {
    const generations = manifests("c rbac:roleName=a crd paths=./a", "c rbac:roleName=b crd paths=./b");
    expect(generations.rbac).toMatchObject({ options: "rbac:roleName=b", paths: ["b"] });
    expect(generations.crd?.paths).toEqual(["a", "b"]);
  });

  it("of a second program are listed with their lines", () => {
    const generations = manifests(
      "c rbac:roleName=manager-role paths=./hub output:rbac:artifacts:config=config/rbac-hub",
      "c rbac:roleName=manager-role paths=./main output:rbac:artifacts:config=config/rbac",
    );
    expect(generations.rbac?.paths).toEqual(["main"]);
    expect(generations.notes).toEqual([
      "not taken over: Makefile:2 writes rbac:roleName=manager-role of hub to config/rbac-hub, besides config/rbac",
    ]);
  });

  it("are followed by commands that change their output, which are listed", () => {
    const generations = read(
      "manifests: controller-gen",
      "\tc rbac:roleName=a crd webhook paths=./... output:crd:dir=config/crd/bases",
      "\t@sed -i -e 's/a/b/' config/webhook/manifests.yaml",
      "\trm -f config/crd/bases/_.yaml",
      "\tgo vet ./...",
      "deploy:",
      "\tsed -i 's/a/b/' config/rbac/role.yaml",
    );
    expect(generations.notes).toEqual([
      "not taken over: Makefile:3 changes the generated manifests: sed -i -e 's/a/b/' config/webhook/manifests.yaml",
    ]);
  });

  it("count if their directory contains output, because calls that find no markers write none", () => {
    const makefile = [
      "manifests:",
      "\tcd hooks; c rbac:roleName=a webhook paths=./... output:webhook:dir=../base/webhook",
      "\tc rbac:roleName=b paths=./... output:rbac:artifacts:config=base/rbac",
    ];
    const generations = generationsOf({
      makefiles: [{ path: "Makefile", text: `${makefile.join("\n")}\n` }],
      isWritten: (directory) => directory.startsWith("base/"),
    });
    expect(generations.rbac).toEqual({ options: "rbac:roleName=b", paths: ["..."], output: "base/rbac" });
    expect(generations.webhook).toEqual({ options: "webhook", paths: ["hooks/..."], output: "base/webhook" });
    expect(generations.notes).toEqual([]);
  });

  it("in other targets count only if there are none in manifests", () => {
    expect(read("bundle:", "\tc crd:maxDescLen=0 paths=./...").crd?.options).toBe("crd:maxDescLen=0");
    const both = read("manifests:", "\tc crd paths=./...", "bundle:", "\tc crd:maxDescLen=0 paths=./...");
    expect(both.crd?.options).toBe("crd");
  });

  it("in other targets count for the generators that manifests doesn't call", () => {
    const generations = read(
      "manifests:",
      "\tc crd paths=./api/...",
      "generate:",
      "\tc object paths=./...",
      "\tc crd:maxDescLen=0 rbac:roleName=a paths=./internal/... output:rbac:stdout > deploy/role.yaml",
    );
    expect(generations).toMatchObject({
      crd: { options: "crd", paths: ["api/..."] },
      rbac: { options: "rbac:roleName=a", paths: ["internal/..."], output: "deploy" },
      notes: [],
    });
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
    expect(generationsOf({ makefiles: files }).rbac?.options).toBe("rbac:roleName=my-role");
  });

  it("may use go run or go tool, and directories that make computes", () => {
    const generations = read(
      "PROJECT_DIR := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))",
      "GEN = CGO_LDFLAGS= go run -tags generate sigs.k8s.io/controller-tools/cmd/controller-gen",
      "manifests:",
      "\t$(GEN) crd:headerFile=$(PROJECT_DIR)/hack/b.txt paths=$(CURDIR)/api/... output:crd:dir=$(shell pwd)/deploy",
      "\tgo tool controller-gen rbac:roleName=a paths=./...",
    );
    expect(generations).toMatchObject({
      crd: { options: "crd:headerFile=hack/b.txt", paths: ["api/..."], output: "deploy" },
      rbac: { options: "rbac:roleName=a" },
      notes: [],
    });
  });

  it("may be arguments of other commands, whose output goes to other files", () => {
    const generations = manifests(
      `./hack/sort.sh "c crd:crdVersions=v1 paths='./api/a/...' output:crd:stdout" "deploy/a.yaml"`,
      `./hack/sort.sh "c crd:crdVersions=v1 paths='./api/b/...' output:crd:stdout" "deploy/b.yaml"`,
    );
    expect(generations.crd).toEqual({
      options: "crd:crdVersions=v1",
      paths: ["api/a/...", "api/b/..."],
      output: undefined,
    });
  });

  it("may append roles to a file, of which the first one counts", () => {
    const generations = manifests(
      'c rbac:roleName=main paths="./main/..." output:rbac:stdout > deploy/base/role.yaml',
      'c rbac:roleName=agent paths="./agent/..." output:rbac:stdout >> deploy/base/role.yaml',
      "c crd paths=./api output:crd:stdout | yq e 'select(.metadata.name == \"a\")' - > $(OUT)/a.yaml",
    );
    expect(generations.rbac).toEqual({ options: "rbac:roleName=main", paths: ["main/..."], output: "deploy/base" });
    expect(generations.crd?.paths).toEqual(["api"]);
    expect(generations.notes).toEqual([
      "not taken over: Makefile:3 writes rbac:roleName=agent of agent/... to deploy/base, besides deploy/base",
    ]);
  });

  it("may be in scripts, with parameters, variables and directories", () => {
    const script = [
      "#!/usr/bin/env bash",
      'HERE=$( cd -- "$( dirname -- "%{BASH_SOURCE[0]}" )" &> /dev/null && pwd )',
      ': "%{CONTROLLER_GEN:?must be set}"',
      'OUT="%{1}"',
      'cd "%{HERE}"/../',
      "# $CONTROLLER_GEN crd paths=./none",
      '"%{CONTROLLER_GEN}" crd \\',
      '  paths="./apis/..." \\',
      '  output:crd:artifacts:config="%{OUT}/bases"',
      '"$CONTROLLER_GEN" rbac:roleName="%{ROLE:-own}" paths="$HERE/../internal/..."',
    ]
      .join("\n")
      .replaceAll("%{", "${");
    const generations = generationsOf({
      makefiles: [
        { path: "Makefile", text: "DIR ?= config/crds\ngen:\n\t@CONTROLLER_GEN=bin/c bash ./hack/gen.sh $(DIR)\n" },
      ],
      script: (path) => (path === "hack/gen.sh" ? script : undefined),
    });
    expect(generations).toEqual({
      crd: { options: "crd", paths: ["apis/..."], output: "config/crds/bases" },
      rbac: { options: "rbac:roleName=own", paths: ["internal/..."], output: "config/rbac" },
      notes: [],
    });
  });

  it("in loops of scripts are listed, and scripts that call themselves end", () => {
    const script = "./a.sh\nfor m in a b; do\n  c crd paths=./$m/...\ndone\n";
    const generations = generationsOf({
      makefiles: [{ path: "Makefile", text: "manifests:\n\t./a.sh\n" }],
      script: () => script,
    });
    expect(new Set(generations.notes)).toEqual(
      new Set(["a.sh:3 has options of controller-gen that can't be read: compare them with the new Makefile"]),
    );
  });

  it("may be lines of go generate, which run in the directory of their file", () => {
    const text = [
      "package apis",
      "//go:generate go run sigs.k8s.io/controller-tools/cmd/controller-gen object paths=./...",
      "//go:generate controller-gen crd:crdVersions=v1 paths=./v1;./v2 output:artifacts:config=../package/crds",
    ].join("\n");
    const directives = [{ path: "apis/generate.go", text }];
    expect(generationsOf({ makefiles: [], directives })).toEqual({
      crd: { options: "crd:crdVersions=v1", paths: ["apis/v1", "apis/v2"], output: "package/crds" },
      notes: [],
    });
    const makefiles = [{ path: "Makefile", text: "manifests:\n\tc crd paths=./...\n" }];
    expect(generationsOf({ makefiles, directives }).crd?.paths).toEqual(["..."]);
  });

  const options = { options: "crd:maxDescLen=0", paths: ["api/..."] };
  it.each([
    [
      "a variable of a target",
      "manifests: CRD = crd:maxDescLen=0\nmanifests:\n\tcontroller-gen $(CRD) paths=./api/...",
    ],
    [
      "a definition that is called",
      "define gen\n\techo $(1)\n\tcontroller-gen crd:maxDescLen=0 paths=./$(1)/...\nendef\nmanifests:\n\t$(call gen,api)",
    ],
    ["a prefix", "DIRS = ./api/...\nmanifests:\n\tcontroller-gen crd:maxDescLen=0 $(addprefix paths=,$(DIRS))"],
    ["a suffix", "DIRS = paths=./api\nmanifests:\n\tcontroller-gen crd:maxDescLen=0 $(addsuffix /...,$(DIRS))"],
    ["the line of the target", "manifests: ; controller-gen crd:maxDescLen=0 paths=./api/..."],
    ["a rule with two colons", "manifests::\n\tcontroller-gen crd:maxDescLen=0 paths=./api/..."],
    ["a rule with two targets", "generate manifests:\n\tcontroller-gen crd:maxDescLen=0 paths=./api/..."],
    ["the targets that it needs", "manifests: crds\ncrds:\n\tcontroller-gen crd:maxDescLen=0 paths=./api/..."],
    ["a container", "manifests:\n\tdocker run --rm -v $(PWD):/src gen controller-gen crd:maxDescLen=0 paths=./api/..."],
    ["a shell", 'manifests:\n\tbash -c "controller-gen crd:maxDescLen=0 paths=./api/..."'],
    ["lines that end as in Windows", "manifests:\r\n\tcontroller-gen crd:maxDescLen=0 \\\r\n\t\tpaths=./api/...\r"],
  ])("are read in %s", (_, text) => {
    const { crd, notes } = read(text);
    expect(crd).toMatchObject(options);
    expect(notes).toEqual([]);
  });

  it.each([
    ["a loop of make", 2, "manifests:\n\tcontroller-gen crd $(foreach d,api apis,paths=./$(d)/...)"],
    [
      "calls in a loop of make",
      3,
      "TOOL = bin/controller-gen\nmanifests:\n\t$(foreach d,api apis,$(TOOL) crd paths=./$(d)/...;)",
    ],
    ["no paths", 2, "manifests:\n\tcontroller-gen crd:maxDescLen=0 rbac:roleName=x output:crd:dir=config/crd/bases"],
    [
      "options of another call of make",
      4,
      "manifests:\n\t$(MAKE) gen OPTIONS=crd\ngen:\n\tcontroller-gen $(OPTIONS) paths=./api/...",
    ],
    [
      "options that depend on a condition",
      7,
      "ifeq ($(OLD),1)\nCRD = crd:maxDescLen=0\nelse\nCRD = crd\nendif\nmanifests:\n\tcontroller-gen $(CRD) paths=./api/...",
    ],
  ])("with %s get a note with their line, because they can't be read", (_, line, text) => {
    expect(read(text).notes).toEqual([
      `Makefile:${line} has options of controller-gen that can't be read: compare them with the new Makefile`,
    ]);
  });

  it("with an array of a script get a note with the line of the script", () => {
    const script = `args=(crd:maxDescLen=0 paths=./api/...)\ncontroller-gen "\${args[@]}"\n`;
    const makefiles = [{ path: "Makefile", text: "manifests:\n\thack/gen.sh\n" }];
    expect(generationsOf({ makefiles, script: () => script }).notes).toEqual([
      "hack/gen.sh:2 has options of controller-gen that can't be read: compare them with the new Makefile",
    ]);
  });

  it("aren't confused with its installation", () => {
    const install = "define install\n\t@[ -f $(1) ] || GOBIN=$(PWD)/bin go install $(2)\nendef\n";
    const call =
      "controller-gen:\n\t$(call install,bin/controller-gen,sigs.k8s.io/controller-tools/cmd/controller-gen@v0.4.1)";
    expect(read(install + call).notes).toEqual([]);
  });
});

describe("make in another directory", () => {
  const inner = "manifests:\n\tcontroller-gen crd:maxDescLen=0 paths=./... output:crd:dir=../config/crd/bases\n";
  it.each(["$(MAKE) -C api manifests", "cd api && make manifests"])("follows %s", (recipe) => {
    const makefiles = [{ path: "Makefile", text: `manifests:\n\t${recipe}\n` }];
    const script = (path: string) => (path === "api/Makefile" ? inner : undefined);
    const { crd, notes } = generationsOf({ makefiles, script });
    expect(crd).toEqual({ options: "crd:maxDescLen=0", paths: ["api/..."], output: "config/crd/bases" });
    expect(notes).toEqual([]);
    expect(generationsOf({ makefiles }).notes).toEqual([
      "Makefile:2 calls make in api, which can't be read: compare its options of controller-gen with the new Makefile",
    ]);
  });

  it("reads nothing twice", () => {
    const makefiles = [
      { path: "Makefile", text: "all:\n\t$(MAKE) -C . manifests\n\t$(MAKE) -C $(CURDIR) manifests\n" },
    ];
    expect(generationsOf({ makefiles }).notes).toEqual([]);
  });
});
