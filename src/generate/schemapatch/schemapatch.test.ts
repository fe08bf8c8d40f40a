import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { generate } from "../generate.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";

const cases = join(import.meta.dirname, "../../../testdata/schemapatch");

const patch = (cwd: string, options: string) => generate(requestOf(cwd, `schemapatch:${options}`.split(" ")));

describe("schemapatch writes the same as controller-gen", () => {
  it.each([
    ["expected", ""],
    ["expected-short", ",maxDescLen=20"],
  ])("%s", async (expected, more) => {
    const { plan } = await patch(cases, `manifests=manifests${more} paths=./api/... output:dir=${expected}`);
    const files = readdirSync(join(cases, expected));
    expect(plan.writes.map(({ path }) => basename(path))).toEqual(files);
    for (const { path, after } of plan.writes) expect(after, basename(path)).toBe(readFileSync(path, "utf8"));
  });
});

const thing = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing. */
export interface Thing extends KubernetesObject {}
`;
const manifest = (version: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names:
    kind: Thing
  versions:
    - name: ${version}
`;

it("writes to config/schemapatch by default", async () => {
  const cwd = project({ "api/v1/thing.ts": thing, "crds/thing.yaml": manifest("v1") });
  const { plan, diagnostics } = await patch(cwd, "manifests=crds paths=./...");
  expect(diagnostics).toEqual([]);
  expect(plan.writes.map(({ path }) => path)).toEqual([join(cwd, "config/schemapatch/thing.yaml")]);
});

it("leaves patched files unchanged", async () => {
  const cwd = project({ "api/v1/thing.ts": thing, "crds/thing.yaml": manifest("v1") });
  const [first] = (await patch(cwd, "manifests=crds paths=./... output:dir=crds")).plan.writes;
  const again = project({ "api/v1/thing.ts": thing, "crds/thing.yaml": first?.after ?? "" });
  const { plan } = await patch(again, "manifests=crds paths=./... output:dir=crds");
  expect(plan.writes).toMatchObject([{ action: "unchanged" }]);
});

it("keeps the other documents of a file, unlike controller-gen", async () => {
  const other = "apiVersion: v1\nkind: Namespace\n";
  const cwd = project({ "api/v1/thing.ts": thing, "crds/all.yaml": `${other}---\n${manifest("v1")}---\n${other}` });
  const text = (await patch(cwd, "manifests=crds paths=./...")).plan.writes[0]?.after ?? "";
  expect(text.startsWith(`${other}---\napiVersion: apiextensions`)).toBe(true);
  expect(text.endsWith(`---\n${other}`)).toBe(true);
  expect(text).toContain("description: Thing.");
});

it("writes nothing without a kind", async () => {
  const cwd = project({ "api/v1/a.ts": "export const a = 1;\n", "crds/thing.yaml": manifest("v1") });
  expect((await patch(cwd, "manifests=crds paths=./...")).plan.writes).toEqual([]);
});

describe("manifests that can't be patched", () => {
  it.each([
    ["no-manifests", {}],
    ["bad-manifest", { "crds/a.yaml": manifest("v1").replace("k8s.io/v1", "k8s.io/v1beta1") }],
    ["bad-manifest", { "crds/a.yaml": manifest("v1").split("  versions")[0] ?? "" }],
    ["bad-manifest", { "crds/a.yaml": manifest('""') }],
  ] as const)("cause the error %s", async (id, files) => {
    const { plan, diagnostics } = await patch(
      project({ "api/v1/thing.ts": thing, ...files }),
      "manifests=crds paths=./...",
    );
    expect(diagnostics).toMatchObject([{ id, severity: "error" }]);
    expect(plan.writes).toEqual([]);
  });

  it("cause the warning skipped-manifest for a template, while the others are patched", async () => {
    const template = "{{- if .Values.crds }}\nkind: CustomResourceDefinition\n{{- end }}\n";
    const cwd = project({ "api/v1/thing.ts": thing, "crds/a.yaml": template, "crds/b.yaml": manifest("v1") });
    const { plan, diagnostics } = await patch(cwd, "manifests=crds paths=./...");
    expect(diagnostics).toMatchObject([
      { id: "skipped-manifest", severity: "warning", file: join(cwd, "crds/a.yaml") },
    ]);
    expect(plan.writes.map(({ path }) => basename(path))).toEqual(["b.yaml"]);
  });

  it("cause the same errors in types as CRDs", async () => {
    const bad = thing.replace("{}", "{ a: Date }");
    const cwd = project({ "api/v1/thing.ts": bad, "crds/thing.yaml": manifest("v1") });
    expect((await patch(cwd, "manifests=crds paths=./...")).diagnostics).toMatchObject([
      { severity: "error", line: 5 },
    ]);
  });
});
