import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../test-support/run-cli.ts";

const thing = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing. */
export interface Thing extends KubernetesObject {
  a?: string;
}
`;
const crdPath = "config/crd/bases/example.com_things.yaml";

function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-cli-generate-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const inProject = (more: Readonly<Record<string, string>> = {}) =>
  tree({ PROJECT: 'version: "3"\n', "api/v1/thing.ts": thing, ...more });

it("generates the project's manifests without options, and changes nothing the second time", async () => {
  const root = inProject();
  const first = await runCli(root, ["generate"]);
  expect(first).toMatchObject({ code: 0, stdout: "", stderr: `create ${crdPath}\n` });
  expect(readFileSync(join(root, crdPath), "utf8")).toMatch(/^---\napiVersion: apiextensions\.k8s\.io\/v1\n/);
  expect(await runCli(root, ["generate"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("rejects a call without options outside of a project", async () => {
  expect(await runCli(tree({}), ["generate"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: no generators/),
  });
});

it.each([
  ["cdr", 'unknown option "cdr"'],
  ["rbac", 'missing argument "roleName"'],
  ["crd paths=./... output:stdout --json", "output:stdout can't be combined with --json"],
  ["crd --unknown-markers=no", '--unknown-markers "no" isn\'t valid: it must be error, warn or ignore'],
  ["crd --watch --check", "--watch can't be combined with --check"],
])("rejects invalid options: %s", async (argv, message) => {
  const end = await runCli(inProject(), ["generate", ...argv.split(" ")]);
  expect(end.code).toBe(2);
  expect(end.stderr.split("\n")[0]).toContain(message);
});

it("prints documents with output:stdout", async () => {
  const end = await runCli(inProject(), ["generate", "crd", "paths=./...", "output:stdout"]);
  expect(end).toMatchObject({ code: 0, stderr: "" });
  expect(end.stdout).toMatch(/^---\napiVersion: /);
});

it("shows outdated files with --check and writes nothing", async () => {
  const root = inProject();
  const stale = await runCli(root, ["generate", "--check"]);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toContain(`--- /dev/null\n+++ b/${crdPath}\n`);
  expect(existsSync(join(root, "config"))).toBe(false);
  await runCli(root, ["generate"]);
  expect(await runCli(root, ["generate", "--check"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("lists every path with --dry-run and writes nothing", async () => {
  const root = inProject();
  expect(await runCli(root, ["generate", "--dry-run"])).toMatchObject({ code: 0, stdout: `create ${crdPath}\n` });
  const json = await runCli(root, ["generate", "--dry-run", "--json"]);
  expect(JSON.parse(json.stdout).operations).toEqual([{ op: "create", path: crdPath }]);
  expect(existsSync(join(root, "config"))).toBe(false);
});

it("prints diagnostics with path, position, code frame and ID, and writes nothing", async () => {
  const root = inProject({
    "api/v1/bad.ts": "export interface Bad {\n  // +kubebuilder:validation:Minimun=1\n  a: string;\n}\n",
  });
  const end = await runCli(root, ["generate"]);
  expect(end).toMatchObject({ code: 1, stdout: "" });
  expect(end.stderr).toMatch(/^api\/v1\/bad\.ts:2:6: error: unknown marker .* \[unknown-marker\]\n/);
  expect(end.stderr).toContain("did you mean");
  expect(existsSync(join(root, "config"))).toBe(false);
});

it("prints one object with diagnostics and files with --json", async () => {
  const root = inProject();
  const good = JSON.parse((await runCli(root, ["generate", "--json"])).stdout);
  expect(good).toEqual({ diagnostics: [], files: [{ path: crdPath, action: "create" }] });
  const bad = "export interface Bad {\n  // +optinal\n  a: string;\n}\n";
  writeFileSync(join(root, "api/v1/bad.ts"), bad);
  const end = await runCli(root, ["generate", "--json", "--strict"]);
  expect(end.code).toBe(1);
  expect(JSON.parse(end.stdout)).toEqual({
    diagnostics: [
      {
        id: "near-miss-marker",
        severity: "error",
        message: expect.any(String),
        file: "api/v1/bad.ts",
        line: 2,
        column: 6,
        hint: expect.any(String),
      },
    ],
    files: [],
  });
});

describe("--keep-going", () => {
  const bad = thing.replace("a?: string;", "a?: Date;\n  b?: string;").replace("interface Thing", "interface Bad");

  it("writes the manifests of valid kinds in spite of errors, and exits with 1", async () => {
    const root = inProject({ "api/v1/bad.ts": bad });
    const stops = await runCli(root, ["generate"]);
    expect(stops.code).toBe(1);
    expect(existsSync(join(root, "config"))).toBe(false);
    const end = await runCli(root, ["generate", "--keep-going"]);
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(end.stderr).toContain("bad.ts:6:");
    expect(end.stderr).toContain(`create ${crdPath}`);
    expect(existsSync(join(root, "config/crd/bases/example.com_bads.yaml"))).toBe(false);
    expect((await runCli(root, ["generate", "--keep-going", "--check"])).code).toBe(1);
  });

  it("reports the errors of each kind, and writes none of these kinds", async () => {
    const recursive = thing
      .replace("a?: string;", "a?: Node;")
      .replace("/** Thing. */", "export interface Node {\n  name: string;\n  children?: Node[];\n}\n")
      .replace("interface Thing", "interface Rec");
    const root = inProject({ "api/v1/bad.ts": bad, "api/v1/rec.ts": recursive });
    const end = await runCli(root, ["generate", "--keep-going"]);
    expect(end.stderr).toContain("bad.ts:6:");
    expect(end.stderr).toMatch(/rec\.ts:[^\n]*not-structural/);
    expect(readdirSync(join(root, "config/crd/bases"))).toEqual(["example.com_things.yaml"]);
  });

  it("has no effect without errors", async () => {
    expect(await runCli(inProject(), ["generate", "--keep-going"])).toMatchObject({ code: 0 });
  });

  it("keeps the CRD of a kind that has an error", async () => {
    const root = inProject();
    await runCli(root, ["generate"]);
    writeFileSync(join(root, "api/v1/thing.ts"), "// +groupName=example.com\n\n// +kubebuilder:nope\nexport {};\n");
    const end = await runCli(root, ["generate", "--keep-going", "--prune"]);
    expect(end.code).toBe(1);
    expect(existsSync(join(root, crdPath))).toBe(true);
  });
});

it("reports in one line why nothing was written", async () => {
  const end = await runCli(inProject(), ["generate", "crd", "paths=./...", "output:dir=/proc/kubewright"]);
  expect(end.code).toBe(1);
  expect(end.stderr).toMatch(/^error: nothing was written: can't create the directory \S*\/proc\/kubewright \(\w+\)\n/);
});

it("has a hint for the error of the system", async () => {
  const end = await runCli(inProject(), ["generate", "crd", "paths=./...", "output:dir=/sys/kubewright"]);
  expect(end.code).toBe(1);
  expect(end.stderr).toMatch(
    /\n {2}hint: (check the permissions|the disk is read-only).*, or set another directory with output:dir=…/,
  );
});

it("rejects a missing header file, even if nothing is to be written", async () => {
  const end = await runCli(inProject(), ["generate", "webhook:headerFile=nope.txt", "paths=./..."]);
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("webhook:headerFile: cannot read") });
});

it("rejects a group that contains a path", async () => {
  const root = inProject({ "api/v1/thing.ts": thing.replace("=example.com", "=../../x") });
  const end = await runCli(root, ["generate", "crd", "paths=./...", "output:dir=a/b/c"]);
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("[bad-crd-name]") });
  expect(existsSync(join(root, "a"))).toBe(false);
});

it("writes to stdout in the order of the generators in the call", async () => {
  const rbac = "// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n\nexport {};\n";
  const root = inProject({ "src/rbac.ts": rbac });
  const kinds = async (...options: string[]) =>
    (await runCli(root, ["generate", ...options, "paths=./...", "output:stdout"])).stdout.match(/^kind: \w+/gm);
  expect(await kinds("crd", "rbac:roleName=x")).toEqual(["kind: CustomResourceDefinition", "kind: ClusterRole"]);
  expect(await kinds("rbac:roleName=x", "crd")).toEqual(["kind: ClusterRole", "kind: CustomResourceDefinition"]);
});

it("removes the CRD of a removed kind with --prune", async () => {
  const root = inProject();
  await runCli(root, ["generate"]);
  rmSync(join(root, "api/v1/thing.ts"));
  writeFileSync(join(root, "api/v1/other.ts"), thing.replace("interface Thing", "interface Other"));
  const kept = await runCli(root, ["generate"]);
  expect(kept).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`${crdPath}: warning: no kind generates this CRD`),
  });
  expect(kept.stderr).toContain("--prune");
  expect(kept.stderr).not.toContain("delete");
  expect((await runCli(root, ["generate", "--prune"])).stderr).toContain(`delete ${crdPath}`);
  expect(existsSync(join(root, crdPath))).toBe(false);
});

it.each([
  ["is emptied", ""],
  ["exports from a missing file", 'export * from "./gone.ts";\n'],
])("warns of an outdated CRD when a types file %s, with and without --check", async (_, text) => {
  const root = inProject();
  await runCli(root, ["generate"]);
  writeFileSync(join(root, "api/v1/thing.ts"), text);
  for (const flags of [[], ["--check"]]) {
    const { code, stderr } = await runCli(root, ["generate", ...flags]);
    expect(code).toBe(0);
    expect(stderr).toContain(`${crdPath}: warning: no kind generates this CRD any longer [extraneous-crd]`);
  }
  expect((await runCli(root, ["generate", "--strict"])).code).toBe(1);
  const check = await runCli(root, ["generate", "--check", "--prune"]);
  expect(check.code).toBe(1);
  expect(check.stdout).toContain(`--- a/${crdPath}\n+++ /dev/null\n`);
  const { diagnostics } = JSON.parse((await runCli(root, ["generate", "--json"])).stdout);
  expect(diagnostics).toMatchObject([{ id: "extraneous-crd", severity: "warning", file: crdPath }]);
});

describe("a CRD whose plural differs from the kustomization's entry", () => {
  const plural = thing.replace("/** Thing. */", "/** Thing. */\n// +kubebuilder:resource:path=thingies");
  const kustomization = "# bases/example.com_thingies.yaml\nresources:\n- bases/example.com_things.yaml\n";
  const listing = (text: string) => inProject({ "api/v1/thing.ts": plural, "config/crd/kustomization.yaml": text });

  it("is reported as an error with its position, and nothing is written", async () => {
    const root = listing(kustomization);
    const { code, stderr } = await runCli(root, ["generate"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "config/crd/kustomization.yaml:3:3: error: bases/example.com_things.yaml is installed, but the kind's CRD " +
        "is written to bases/example.com_thingies.yaml [misnamed-crd]",
    );
    expect(stderr).toContain("hint: list bases/example.com_thingies.yaml here");
    expect(existsSync(join(root, "config/crd/bases"))).toBe(false);
  });

  it.each([
    ["the new file is listed", kustomization.replace("things", "thingies")],
    [
      "both files are listed, as with a version in another run",
      `${kustomization}- bases/example.com_thingies.yaml # mine\n`,
    ],
    ["only other groups and other directories are listed", kustomization.replaceAll("example", "other")],
    ["no file is listed", "resources: []\n"],
  ])("isn't reported if %s", async (_, text) => {
    expect((await runCli(listing(text), ["generate"])).code).toBe(0);
  });

  it("is reported as a warning if PROJECT sets this level", async () => {
    const root = listing(kustomization);
    const plugin = "plugins:\n  ts.kubewright.io/v1:\n    diagnostics:\n      misnamed-crd: warning\n";
    writeFileSync(join(root, "PROJECT"), `version: "3"\n${plugin}`);
    const { code, stderr } = await runCli(root, ["generate"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("warning: bases/example.com_things") });
  });
});

it("keeps CRDs that no generator wrote, and links and directories with the name of a CRD", async () => {
  const root = inProject({
    "config/crd/bases/example.com_others.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
    "config/crd/bases/example.com_dirs.yaml/x": "",
  });
  const end = await runCli(root, ["generate", "--prune"]);
  expect(end).toMatchObject({ code: 0, stderr: `create ${crdPath}\n` });
});

it("prints a note if there is nothing to write, unless nothing was requested", async () => {
  const root = tree({ "src/a.ts": "export const a = 1;\n" });
  const end = await runCli(root, ["generate", "crd", "paths=./..."]);
  expect(end).toMatchObject({ code: 0, stdout: "", stderr: expect.stringMatching(/^nothing to write: /) });
  expect((await runCli(root, ["generate", "crd", "paths=./...", "output:none"])).stderr).toBe("");
});

describe("levels of diagnostics in PROJECT", () => {
  const project = (levels: string) => `version: "3"\nplugins:\n  ts.kubewright.io/v1:\n    diagnostics: ${levels}\n`;
  const scoped = thing.replace("/** Thing", "// +kubebuilder:resource:scope=Clusterwide\n/** Thing");
  const misspelt = thing.replace("/** Thing", "// +kubebuilder:resuorce:scope=Cluster\n/** Thing");

  it.each([
    ["{}", 1, "error"],
    ["{ bad-scope: warning }", 0, "warning"],
    ["{ bad-scope: off }", 0, undefined],
    ["{ bad-scope: false }", 0, undefined],
    ["{ bad-scope: error }", 1, "error"],
  ])("set severity and exit code: %s", async (levels, code, severity) => {
    const root = tree({ PROJECT: project(levels), "api/v1/thing.ts": scoped });
    const end = await runCli(root, ["generate"]);
    expect(end.code).toBe(code);
    if (severity) expect(end.stderr).toContain(`api/v1/thing.ts:4:32: ${severity}: `);
    else expect(end.stderr).not.toContain("bad-scope");
    expect(existsSync(join(root, crdPath))).toBe(code === 0);
  });

  it("apply in a directory below, and are read again when PROJECT changes", async () => {
    const root = tree({ PROJECT: project("{ bad-scope: off }"), "a/node_modules/x.txt": "", "a/v1/thing.ts": scoped });
    const below = ["generate", "crd", "paths=./...", "output:none"];
    expect((await runCli(join(root, "a"), below)).stderr).not.toContain("bad-scope");
    writeFileSync(join(root, "PROJECT"), project("{ bad-scope: error }"));
    expect((await runCli(join(root, "a"), below)).code).toBe(1);
  });

  it("are overridden by flags", async () => {
    const root = tree({ PROJECT: project("{ unknown-marker: warning }"), "api/v1/thing.ts": misspelt });
    expect((await runCli(root, ["generate"])).stderr).toContain("warning: unknown marker");
    expect((await runCli(root, ["generate", "--unknown-markers=ignore"])).stderr).not.toContain("unknown marker");
    expect((await runCli(root, ["generate", "--strict"])).code).toBe(1);
  });

  it.each([
    ["{ bad-scoop: off }", 'unknown diagnostic "bad-scoop"'],
    ["{ bad-scope: silent }", 'bad-scope: "silent"'],
    ["{ invalid-marker: off }", "invalid-marker can't be set to off"],
  ])("are rejected if invalid: %s", async (levels, message) => {
    const end = await runCli(inProject({ PROJECT: project(levels) }), ["generate"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain(`error: PROJECT, plugins."ts.kubewright.io/v1".diagnostics: ${message}`);
    expect(end.stdout).toBe("");
  });
});

it("reports all problems at once, sorted and without duplicates, and writes nothing", async () => {
  const root = inProject({
    "api/v1/b.ts":
      "// +kubebuilder:nope\n\nexport interface B {\n  // +kubebuilder:validation:MinLength=x\n  a: string;\n  b: any;\n}\n",
    "api/v1/thing.ts": thing
      .replace("a?: string", "// +kubebuilder:validation:Pattern=`(?=a)`\n  a?: string;\n  b?: B")
      .replace("\n\n/**", '\nimport type { B } from "./b.ts";\n\n/**'),
  });
  const end = await runCli(root, ["generate", "--json"]);
  expect(end.code).toBe(1);
  const { diagnostics, files } = JSON.parse(end.stdout);
  expect(
    diagnostics.map(
      (diagnostic: Record<string, unknown>) =>
        `${diagnostic.file}:${diagnostic.line}:${diagnostic.column} ${diagnostic.severity} ${diagnostic.id}`,
    ),
  ).toEqual([
    "api/v1/b.ts:1:4 error unknown-marker",
    "api/v1/b.ts:4:40 error invalid-marker",
    "api/v1/b.ts:6:6 error unsupported-type",
    "api/v1/thing.ts:7:38 error bad-pattern",
  ]);
  expect(files).toEqual([]);
  expect(existsSync(join(root, crdPath))).toBe(false);
});
