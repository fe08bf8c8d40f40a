// The parts of the script that need no projects.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { coreKindTable } from "../../src/cli/models/core-kinds.ts";
import { cellOf, compare, documentsOf, isSame } from "./compare.ts";
import { externalKinds, externalSources, importedTypes } from "./external-types.ts";
import { copyProject, kindsIn, projectsBelow } from "./projects.ts";
import { callsOf, packagesWithKinds } from "./reference.ts";
import { isErrorLine, reconciled, reconciledIn, sampleObjects } from "./run-operator.ts";
import { tableOf } from "./table.ts";

function files(contents: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("conformance/migrate", () => {
  it("is skipped by name without PROJECTS_DIR", () => {
    const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", join(import.meta.dirname, "main.ts")], {
      env: { ...process.env, PROJECTS_DIR: "" },
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^skipped conformance\/migrate: /)]);
  });

  it("finds projects of version 3, also one level deeper", () => {
    const kind = "- group: a\n  kind: A\n- kind: B\n- group: b\n  kind: A\n";
    const root = files({
      "one/PROJECT": `resources:\n${kind}version: "3"\n`,
      "many/operator/PROJECT": "version: 3\n",
      "old/PROJECT": 'version: "2"\n',
      "none/README.md": "version: 3\n",
    });
    expect(projectsBelow(root).map(({ name, kinds }) => [name, kinds])).toEqual([
      ["operator", 0],
      ["one", 2],
    ]);
    expect(projectsBelow(root, "one")).toHaveLength(1);
    expect(kindsIn(kind)).toBe(2);
  });

  it("copies sources without repositories and packages of others", () => {
    const root = files({ "go/.git/HEAD": "", "go/vendor/a.go": "", "go/api/a.go": "", "go/PROJECT": 'version: "3"\n' });
    mkdirSync(join(root, "copies"));
    copyProject(join(root, "go"), join(root, "copies/go"));
    expect(projectsBelow(join(root, "copies"))).toHaveLength(1);
    expect(() => copyProject(join(root, "copies/go/vendor"), join(root, "x"))).toThrow("ENOENT");
  });

  it("finds the packages with kinds, for projects with modules that can't be downloaded", () => {
    const kind = "// +kubebuilder:object:root=true\ntype Game struct {}\n";
    const root = files({
      "api/v1/game_types.go": kind,
      "api/v1/list_types.go": kind,
      "api/v2/game_types.go": kind,
      "api/v2/conversion.go": "package v2\n",
      "apis/game_types.go": kind,
      "internal/controller.go": "// no +kubebuilder:object:root=true\n",
      "internal/fake_test.go": kind,
      "vendor/other/types.go": kind,
    });
    expect(packagesWithKinds(root, ["./..."])).toEqual(["./api/v1", "./api/v2", "./apis"]);
    expect(packagesWithKinds(root, ["./api/...", "./internal"])).toEqual(["./api/v1", "./api/v2"]);
    expect(packagesWithKinds(root, ["./api/v2"])).toEqual(["./api/v2"]);
  });

  it("runs controller-gen in the Go module of each path", () => {
    expect(callsOf({ paths: ["...", "api/...", "internal/controller"] }, ["api", "api/deep"])).toEqual([
      { directory: ".", paths: ["./...", "./internal/controller"] },
      { directory: "api", paths: ["./..."] },
    ]);
    expect(callsOf({ paths: ["api/deep/v1", "api"] }, ["api", "api/deep"])).toEqual([
      { directory: "api/deep", paths: ["./v1"] },
      { directory: "api", paths: ["."] },
    ]);
  });

  it("compares documents, which must be the same except for the version of the generator", () => {
    const crd = (version: string, name: string, more = "") =>
      `---\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: ${version}\n  name: ${name}\n${more}`;
    const theirs = documentsOf(crd("v0.23.0", "a") + crd("v0.23.0", "b") + crd("v0.23.0", "c"));
    const ours = documentsOf(crd("kubewright", "a") + crd("v1", "b", "spec: {}\n") + crd("v1", "d"));
    const result = compare(theirs, ours);
    expect(result).toEqual({
      same: ["CustomResourceDefinition a"],
      different: ["CustomResourceDefinition b"],
      missing: ["CustomResourceDefinition c"],
      added: ["CustomResourceDefinition d"],
    });
    expect([cellOf(result), isSame(result)]).toEqual(["1 same, 1 different, 1 missing, 1 added", false]);
    expect([compare(theirs, theirs), compare(new Map(), new Map())].map(cellOf)).toEqual(["3 same", "none"]);
  });

  it("distinguishes Roles of several namespaces", () => {
    const role = (namespace: string) => `kind: Role\nmetadata:\n  name: manager-role\n  namespace: ${namespace}\n`;
    expect([...documentsOf(`${role("a")}---\n${role("b")}`).keys()]).toEqual([
      "Role a/manager-role",
      "Role b/manager-role",
    ]);
  });

  it("creates types for the external kinds that a project imports", () => {
    expect(externalKinds("error: PROJECT has external kinds (a.io/v1, b.io/v2) without TypeScript types: …")).toEqual([
      "a.io/v1",
      "b.io/v2",
    ]);
    const text = 'import type { A, type B, C as D } from "external-types/a.io/v1";\n';
    expect([...importedTypes(text)]).toEqual([["a.io/v1", ["A", "B", "C"]]]);
    const sources = externalSources(files({ "src/a.ts": text, "node_modules/x.ts": text.replace("A", "X") }));
    expect([...sources.keys()]).toEqual(["external-types/a.io/v1.d.ts", "external-types/package.json"]);
    expect(sources.get("external-types/a.io/v1.d.ts")).toMatch(/export interface A \{\n {2}apiVersion: "a.io\/v1"/);
    expect(sources.get("external-types/a.io/v1.d.ts")).not.toContain("interface X");
  });

  it("reads the samples of a project, also several in a file", () => {
    const object = (name: string) => `apiVersion: a.io/v1\nkind: A\nmetadata:\n  name: ${name}\n`;
    const root = files({
      "config/samples/kustomization.yaml": "resources: []\n",
      "config/samples/a.yaml": `${object("one")}---\n${object("two")}---\n`,
      "config/samples/more/b.yml": `${object("three")}spec: {}\n---\nkind: List\n`,
    });
    expect(sampleObjects(root).map(({ metadata }) => metadata.name)).toEqual(["one", "two", "three"]);
  });

  it("waits for the samples of kinds with a controller", async () => {
    const entry = (kind: string, more: string) =>
      `- api:\n    crdVersion: v1\n${more}  domain: example.com\n  group: a\n  kind: ${kind}\n  path: x/api/v1\n  version: v1\n`;
    const core = (kind: string) =>
      `- controller: true\n  core: true\n  group: core\n  kind: ${kind}\n  path: k8s.io/api/core/v1\n  version: v1\n`;
    const project = `domain: example.com\nlayout:\n- ts.kubewright.io/v1\nprojectName: x\nrepo: x\nresources:\n${entry("One", "    namespaced: true\n  controller: true\n")}${entry("Two", "  controller: true\n")}${entry("None", "")}${core("Service")}${core("Node")}version: "3"\n`;
    const sample = (kind: string, namespace?: string, apiVersion = "a.example.com/v1") => ({
      apiVersion,
      kind,
      metadata: { name: "x", ...(namespace === undefined ? {} : { namespace }) },
    });
    const samples = [
      ...[sample("One"), sample("One", "b"), sample("Two", "b"), sample("None")],
      ...[sample("Service", "b", "v1"), sample("Node", undefined, "v1"), sample("Secret", "b", "v1")],
    ];
    const waitedFor = ["One default/x", "One b/x", "Two x", "Service b/x", "Node x"];
    expect(reconciled(project, samples, await coreKindTable())).toEqual(waitedFor);
  });

  it("finds reconciles and errors in the log of an operator", () => {
    const line = (fields: object) => JSON.stringify({ level: "debug", msg: "Reconciling", ...fields });
    expect(reconciledIn(line({ controllerKind: "One", namespace: "b", name: "x" }))).toBe("One b/x");
    expect(reconciledIn(line({ controllerKind: "Two", name: "x" }))).toBe("Two x");
    expect(reconciledIn(line({ msg: "Starting manager" }))).toBeUndefined();
    const lines = [line({}), line({ level: "error" }), "Error: boom", line({ level: "warn" })];
    expect(lines.map(isErrorLine)).toEqual([false, true, true, false]);
  });

  it("prints a table", () => {
    const cells = { migrate: "yes", CRDs: "2 same", tsc: "no" };
    expect(tableOf([{ name: "one", kinds: 2, cells, isGood: false }])).toMatch(
      /^\| Project \| Kinds \| migrate .*\n\| --- .*\n\| one \| 2 \| yes \| 2 same \|.*\n0 of 1 projects are the same and pass.$/,
    );
  });
});
