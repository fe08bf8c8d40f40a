import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { generate } from "./generate.ts";
import { project } from "./test-support/project.ts";
import { requestOf } from "./test-support/request.ts";

const goldens = join(import.meta.dirname, "../../testdata/generate");

async function run(cwd: string, options: string, more: Partial<Parameters<typeof generate>[0]> = {}) {
  return generate(requestOf(cwd, options.split(" "), { toolVersion: "kubewright-v0.0.0", ...more }));
}

describe("generate writes the same bytes as controller-gen for", () => {
  const projects = readdirSync(goldens, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  it.each(projects.map((entry) => entry.name))("%s", async (name) => {
    const cwd = join(goldens, name);
    const { diagnostics, plan } = await run(cwd, "crd paths=./... output:dir=.");
    expect(diagnostics).toEqual([]);
    const expected = readdirSync(cwd).filter((file) => file.endsWith(".yaml"));
    expect(plan.writes.map((write) => basename(write.path))).toEqual(expected);
    for (const write of plan.writes) expect(write.after).toBe(readFileSync(write.path, "utf8"));
  });
});

describe("a run over everything at once has documents or diagnostics for", () => {
  const all = (cwd: string) => run(cwd, "rbac:roleName=r crd paths=./... output:dir=.");

  it.each(["testdata/generate", "testdata/projects", "examples"])("%s", async (folder) => {
    const { diagnostics, plan } = await all(join(import.meta.dirname, "../..", folder));
    expect(diagnostics.length || plan.writes.length).toBeGreaterThan(0);
  });

  it("a project with many kinds of mistakes", async () => {
    const types = `${thing}
export interface Bad extends Missing {
  // +kubebuilder:validation:Minimun=1
  a: Date; /* b */ b: [string, number];
  c: () => void; d: Thing["x"];
  // +kubebuilder:validation:MinLength=x
  e: typeof nothing;
}
`;
    const cwd = project({ "api/v1/bad.ts": types, "api/v2/worse.ts": "interface A {\n  a: ;\n}\n" });
    expect((await all(cwd)).diagnostics.length).toBeGreaterThan(2);
  });
});

const thing = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing. */
export interface Thing extends KubernetesObject {
  a?: string;
}
`;

it("collects markers of the whole project: CRDs from one directory, roles from another", async () => {
  const cwd = project({
    "api/v1/thing.ts": thing,
    "src/controller.ts":
      "export class R {\n  // +kubebuilder:rbac:groups=example.com,resources=things,verbs=get\n  reconcile() {}\n}\n",
    "node_modules/x/index.ts": "// +kubebuilder:nope\n",
    "api/v1/thing.test.ts": "// +kubebuilder:nope\n",
  });
  const { diagnostics, plan } = await run(cwd, "rbac:roleName=manager-role crd webhook paths=./...");
  expect(diagnostics).toEqual([]);
  expect(plan.writes.map(({ path }) => path.slice(cwd.length + 1))).toEqual([
    join("config", "crd", "example.com_things.yaml"),
    join("config", "rbac", "role.yaml"),
  ]);
});

it("plans no writes if there are errors, and reports all of them", async () => {
  const cwd = project({
    "api/v1/thing.ts": thing.replace("a?: string;", "// +kubebuilder:validation:Minimum=1\n  a?: string;\n  b: any;"),
    "api/v1/other.ts": "export interface Other {\n  // +kubebuilder:nope\n  a: string;\n}\n",
    "api/v1/broken.ts": "export interface Broken {\n  a: ;\n}\n",
  });
  const { diagnostics, plan } = await run(cwd, "crd paths=./...");
  expect(plan).toEqual({ writes: [], stdout: "", problems: [] });
  expect(diagnostics.map(({ id, line, column }) => `${id} ${line}:${column}`)).toEqual([
    "syntax-error 2:6",
    "unknown-marker 2:6",
    "marker-not-applicable 6:6",
    "unsupported-type 8:6",
  ]);
});

it("doesn't report the replacement types of a parser for invalid ones", async () => {
  const cwd = project({ "api/v1/thing.ts": thing.replace("a?: string;", "a?: string;\n  b?: [;\n  c?: any;") });
  const { diagnostics } = await run(cwd, "crd paths=./...");
  expect(new Set(diagnostics.map(({ id }) => id))).toEqual(new Set(["syntax-error"]));
});

it("sets the severity of unknown markers and of warnings", async () => {
  const cwd = project({ "api/v1/thing.ts": thing.replace("a?:", "// +kubebuilder:nope\n  a?:") });
  const severities = async (more: object) =>
    (await run(cwd, "crd paths=./...", more)).diagnostics.map(({ severity }) => severity);
  expect(await severities({})).toEqual(["error"]);
  expect(await severities({ unknownMarkers: "warn" })).toEqual(["warning"]);
  expect(await severities({ unknownMarkers: "warn", strict: true })).toEqual(["error"]);
  expect(await severities({ unknownMarkers: "ignore" })).toEqual([]);
});

it("only warns of unknown markers in packages outside of the paths", async () => {
  const shared = `export interface Shared {
  // + optional
  // +kubebuilder:nope
  // +kubebuilder:storageversion
  a: string;
  // +kubebuilder:validation:MinLength=x
  b: string;
}
`;
  const cwd = project({
    "api/v1/thing.ts": thing
      .replace("a?: string", "a?: Shared")
      .replace("import", 'import type { Shared } from "../../shared/shared.ts";\nimport'),
    "shared/shared.ts": shared,
  });
  const idsOf = async (paths: string) =>
    (await run(cwd, `crd ${paths}`)).diagnostics.map(({ id, severity }) => `${severity} ${id}`);
  const others = ["warning blank-in-marker", "warning unknown-marker", "warning misplaced-marker"];
  expect(await idsOf("paths=./api/...")).toEqual([...others, "error invalid-marker"]);
  expect(await idsOf("paths=./...")).toEqual([
    "error blank-in-marker",
    "error unknown-marker",
    "error misplaced-marker",
    "error invalid-marker",
  ]);
});

describe("webhook markers", () => {
  const marker =
    "+kubebuilder:webhook:path=/x,mutating=true,failurePolicy=fail,sideEffects=None,groups=a.b,resources=c,verbs=create,versions=v1,name=x.kb.io,admissionReviewVersions=v1";
  const places: readonly (readonly [place: string, text: string])[] = [
    ["alone at the top of a file", `// ${marker}\n\nexport {};\n`],
    ["above an import", `// ${marker}\nimport "node:fs";\n`],
    ["above a class", `export {};\n// ${marker}\nexport class Hook {}\n`],
    ["in a class's JSDoc", `export {};\n/**\n * Hook.\n * ${marker}\n */\nexport class Hook {}\n`],
    ["above a method", `export class Hook {\n  // ${marker}\n  default(): void {}\n}\n`],
    ["above a property", `export class Hook {\n  // ${marker}\n  readonly path = "/x";\n}\n`],
    ["above a function", `export {};\n// ${marker}\nexport function hook(): void {}\n`],
    ["above a constant", `export {};\n// ${marker}\nexport const hook = 1;\n`],
    ["above an interface", `export {};\n// ${marker}\nexport interface Hook {}\n`],
    ["at the end of a file", `export {};\n\n// ${marker}\n`],
  ];

  it.each(places)("are read %s", async (_, text) => {
    const cwd = project({ "src/hook.ts": text });
    const { diagnostics, plan } = await run(cwd, "webhook paths=./...");
    expect(diagnostics).toEqual([]);
    expect(plan.writes.map(({ path }) => path.slice(cwd.length + 1))).toEqual([
      join("config", "webhook", "manifests.yaml"),
    ]);
  });

  it("are ignored without the webhook generator, even if their values are invalid", async () => {
    const bad = marker.replace("sideEffects=None", "sideEffects=Some");
    const cwd = project({ "src/hook.ts": `// ${bad}\n\nexport {};\n`, "api/v1/thing.ts": thing });
    const { diagnostics, plan } = await run(cwd, "crd paths=./...");
    expect(diagnostics).toEqual([]);
    expect(plan.writes).toHaveLength(1);
    expect((await run(cwd, "webhook paths=./...")).diagnostics).toMatchObject([{ id: "invalid-webhook", line: 1 }]);
  });
});

it("reports a path without packages", async () => {
  const { diagnostics } = await run(project({}), "crd paths=./api");
  expect(diagnostics).toMatchObject([{ id: "no-such-path", message: expect.stringContaining("paths=./api") }]);
  expect(diagnostics[0]).not.toHaveProperty("hint");
});

it.each([
  ["crd", "./..."],
  ["crd paths=./api/", "./api/..."],
])("suggests the subdirectories of a directory without TypeScript: %s", async (options, paths) => {
  const { diagnostics } = await run(project({ "api/v1/thing.ts": thing }), options);
  expect(diagnostics).toMatchObject([{ id: "no-such-path", hint: `use paths=${paths} to include subdirectories` }]);
});

it("writes the header with its year above the documents", async () => {
  const cwd = project({ "api/v1/thing.ts": thing, "head.txt": "# Copyright YEAR.\n" });
  const { plan } = await run(cwd, "crd:headerFile=head.txt,year=2026 paths=./... output:stdout");
  expect(plan.stdout).toMatch(/^# Copyright 2026\.\n---\napiVersion: /);
  const missing = await run(cwd, "crd:headerFile=none.txt paths=./...");
  expect(missing.diagnostics).toMatchObject([{ id: "bad-option" }]);
});

it("omits the tool's version with omitToolVersion", async () => {
  const cwd = project({ "api/v1/thing.ts": thing });
  const { plan } = await run(cwd, "crd:omitToolVersion=true paths=./... output:stdout");
  expect(plan.stdout).not.toContain("annotations");
});

it("writes preserveUnknownFields with its option", async () => {
  const cwd = project({ "api/v1/thing.ts": thing });
  const option = "crd:deprecatedV1beta1CompatibilityPreserveUnknownFields=false";
  const { plan } = await run(cwd, `${option} paths=./... output:stdout`);
  expect(plan.stdout).toContain("preserveUnknownFields: false");
});

describe("core types", () => {
  const specOf = async (imports: string, type: string) => {
    const text = `${imports}\n${thing.replace("a?: string;", `a?: ${type};`)}`;
    const { diagnostics, plan } = await run(project({ "api/v1/thing.ts": text }), "crd paths=./... output:stdout");
    return { yaml: plan.stdout, ids: diagnostics.map(({ id, line, column }) => `${id} ${line}:${column}`) };
  };

  it.each([
    ["@kubernetes/client-node", "V1PodTemplateSpec"],
    ["kubernetes-models/v1", "IPodTemplateSpec"],
  ])("are also known from %s", async (module, name) => {
    const theirs = await specOf(`import type { ${name} } from "${module}";`, name);
    // The schema of a pod is larger than the annotation in which kubectl apply stores an object.
    expect(theirs.ids).toEqual(["crd-too-big 6:1"]);
    const from = 'import type { PodTemplateSpec } from "@kubewright/runtime/api/core/v1";';
    expect(theirs.yaml).toBe((await specOf(from, "PodTemplateSpec")).yaml);
    expect(theirs.yaml).toContain("containers:");
  });

  it("are reported if the name is unknown", async () => {
    const { ids } = await specOf('import type { Pdo } from "@kubewright/runtime/api/core/v1";', "Pdo");
    expect(ids).toEqual(["unknown-type 7:7"]);
  });

  it("are rejected if they contain floats", async () => {
    const from = 'import type { JSONSchemaProps } from "@kubewright/runtime/api/apiextensions/v1";';
    expect((await specOf(from, "JSONSchemaProps")).ids).toContain("unsupported-type 7:7");
  });
});

describe("errors of output and types", () => {
  const ids = async (text: string, options: string) => {
    const { diagnostics } = await run(project({ "api/v1/thing.ts": text }), options);
    return diagnostics.map(({ id }) => id);
  };

  it("bad-output: a file is at the path of a directory", async () => {
    expect(await ids(thing, "crd paths=./... output:dir=api/v1/thing.ts/crd")).toEqual(["bad-output"]);
  });

  it("unwritable-document: YAML can't contain control characters", async () => {
    const text = thing.replace("export interface", "/** A \u007f. */\nexport interface");
    expect(await ids(text, "crd paths=./... output:none")).toEqual(["unwritable-document"]);
  });

  it("conflicting-types: two parents declare a property with different types", async () => {
    const parents = "interface A { x: string }\ninterface B { x: number }\ninterface Both extends A, B {}\n";
    expect(
      await ids(`${thing.replace(/\{[^{}]*\}\s*$/, "{ both?: Both }")}\n${parents}`, "crd paths=./... output:none"),
    ).toEqual(["conflicting-types"]);
  });
});
