import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectOutput } from "../../../../scripts/test-support/output-schema.ts";
import { snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

const call = ["generate", "crd", "paths=./...", "output:dir=crds"];

/** A type with markers on its fields. The text has a BOM, Windows line breaks, and characters outside of the BMP. */
const thing = (...markers: readonly string[]) =>
  [
    "\uFEFF// +groupName=example.com\r\n// +versionName=v1\r\n",
    'import type { KubernetesObject } from "@kubewright/runtime";\r\n\r\n',
    "/** Thing 🎲 é.\t */\r\nexport interface Thing extends KubernetesObject {\r\n",
    ...markers.map(
      (marker, index) => `  /** 🎲 Field.\r\n   * ${marker}   \r\n   */\r\n  field${index}?: ${typeOf(marker)};\r\n`,
    ),
    "}\r\n",
  ].join("");

function typeOf(marker: string): string {
  return /Min|Max|Number/.test(marker) && !/Length|Items/.test(marker)
    ? "number"
    : /Items/.test(marker)
      ? "string[]"
      : "string";
}

function project(text: string): string {
  const root = testDirectory();
  writeFileSync(join(root, "thing.ts"), text);
  return root;
}

const fixes: readonly (readonly [written: string, fixed: string])[] = [
  ["+kubebuilder:validation:Minumum=5", "+kubebuilder:validation:Minimum=5"],
  ["+kubebuilder:validation:optional", "+kubebuilder:validation:Optional"],
  ["+kubebuilder:defualt=abc", "+kubebuilder:default=abc"],
  ["+kubebuilder:MinLength=1", "+kubebuilder:validation:MinLength=1"],
  ["+kubebuilder:validation:MinLength :=1", "+kubebuilder:validation:MinLength:=1"],
  ["+kubebuilder:validation:MaxLength:63", "+kubebuilder:validation:MaxLength=63"],
  ["+ kubebuilder:validation:MinLength=1", "+kubebuilder:validation:MinLength=1"],
  ["+kubebuilder:validation:UniqueItems", "+kubebuilder:validation:UniqueItems=true"],
  ["+kubebuilder:validation:UniqueItems=yes", "+kubebuilder:validation:UniqueItems=true"],
  ['+kubebuilder:validation:MaxLength="3"', "+kubebuilder:validation:MaxLength=3"],
  ["+kubebuilder:validation:Enum=a,b", "+kubebuilder:validation:Enum=a;b"],
  ['+kubebuilder:validation:Pattern="^\\d$"', "+kubebuilder:validation:Pattern=`^\\d$`"],
  ["+k8s:requird", "+k8s:required"],
  [
    "+kubebuilder:validation:XValidation:rul=\"self != 'a'\"",
    "+kubebuilder:validation:XValidation:rule=\"self != 'a'\"",
  ],
];

it.each(fixes)("--fix changes %s to %s, and leaves all other bytes", async (written, fixed) => {
  const text = thing(written, "+optional");
  const root = project(text);
  const before = await runCli(root, [...call, "--json"]);
  const { diagnostics } = JSON.parse(before.stdout);
  expectOutput("generate", JSON.parse(before.stdout));
  expect(diagnostics[0].fixes, before.stdout).toHaveLength(1);
  const end = await runCli(root, [...call, "--fix"]);
  expect(readFileSync(join(root, "thing.ts"), "utf8")).toBe(text.replace(written, () => fixed));
  expect(end.stderr).toContain(`fixed thing.ts:8: Change it to `);
});

it("--fix fixes all markers of a file at once, and then generates", async () => {
  const text = thing("+kubebuilder:validation:Minumum=5", "+kubebuilder:validation:MaxLength:63");
  const root = project(text);
  const { code, stdout } = await runCli(root, [...call, "--fix", "--json"]);
  expect(code, stdout).toBe(0);
  expectOutput("generate", JSON.parse(stdout));
  expect(JSON.parse(stdout)).toMatchObject({
    diagnostics: [],
    files: [
      { path: "thing.ts", action: "update" },
      { path: "crds/example.com_things.yaml", action: "create" },
    ],
  });
});

it.each([
  ["another name is as similar", "+kubebuilder:validation:MixLength=5"],
  ["no name is similar", "+kubebuilder:zzzzzzzzzzzz=bar"],
  ["the value is missing", "+kubebuilder:validation:MinLength"],
  ["the line may belong to another tool", "+optionl"],
  ["the marker belongs to another place", "+versionName=v2"],
])("a diagnostic has no fix if %s", async (_, written) => {
  const root = project(thing(written));
  const before = snapshot(root);
  const end = await runCli(root, [...call, "--fix", "--json", "--dry-run"]);
  const { diagnostics } = JSON.parse(end.stdout);
  expect(diagnostics.length).toBeGreaterThan(0);
  for (const diagnostic of diagnostics) expect(diagnostic).not.toHaveProperty("fixes");
  expect(snapshot(root)).toEqual(before);
});

it("--fix --dry-run writes nothing, and lists the files", async () => {
  const root = project(thing("+kubebuilder:validation:Minumum=5"));
  const before = snapshot(root);
  const { stderr } = await runCli(root, [...call, "--fix", "--dry-run"]);
  expect(stderr).toContain("would fix thing.ts:8: Change it to +kubebuilder:validation:Minimum=5");
  expect(snapshot(root)).toEqual(before);
});

it.each(["--check", "--watch"])("--fix and %s exclude each other", async (flag) => {
  expect(await runCli(testDirectory(), [...call, "--fix", flag])).toMatchObject({ code: 2 });
});
