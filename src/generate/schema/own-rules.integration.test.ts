// Rules and markers for a whole object that isn't declared as an interface. Each row was
// found by the differential fuzz test (conformance/differential-fuzz).
import { expect, it } from "vitest";
import { runCrds, specOf } from "../test-support/project.ts";

const once = { rule: "!has(oldSelf.a) || has(self.a)", message: "field a is immutable once set" };
const whole = "interface Whole {\n// +k8s:immutable\na?: string; b?: string; c: number }\n";

it.each([
  ["Omit", `${whole}export type Spec = Omit<Whole, "c">`, [once]],
  ["Pick", `${whole}export type Spec = Pick<Whole, "a">`, [once]],
  ["Pick of another field", `${whole}export type Spec = Pick<Whole, "b">`, undefined],
  ["Required", `${whole}export type Spec = Required<Whole>`, undefined],
  ["Partial", "interface Whole {\n// +k8s:immutable\na: string }\nexport type Spec = Partial<Whole>", [once]],
])("an immutable field adds the rule of an interface to %s", async (_, text, rules) => {
  const { spec, run } = await specOf(text);
  expect(run.places).toEqual([]);
  expect(spec["x-kubernetes-validations"]).toEqual(rules);
});

it.each([
  ["an interface", "export interface Spec {\n// +k8s:immutable\na?: string; b?: string }"],
  ["an intersection", "export type Spec = {\n// +k8s:immutable\na?: string } & { b?: string }"],
  ["Omit", `${whole}// +kubebuilder:validation:AtMostOneOf=a;b\nexport type Spec = Omit<Whole, "c">`],
])("rules of fields precede those of the type: %s", async (_, text) => {
  const { spec } = await specOf(text.replace(/(?<!a;b\n)export/, "// +kubebuilder:validation:AtMostOneOf=a;b\nexport"));
  expect(spec["x-kubernetes-validations"]?.map(({ message }) => message)).toEqual([
    "field a is immutable once set",
    "at most one of the fields in [a b] may be set",
  ]);
});

it.each([
  ["a generic type", "interface Box<T> { a?: T }\n// MARKER\nexport type Spec = Box<string>"],
  ["Omit", "interface Whole { a?: string; c: number }\n// MARKER\nexport type Spec = Omit<Whole, 'c'>"],
  ["an intersection", "interface Base { a?: string }\n// MARKER\nexport type Spec = Base & { b?: string }"],
  ["an alias", "interface Base { a?: string }\n// MARKER\nexport type Spec = Base"],
])("%s with a name accepts the markers of objects", async (_, text) => {
  const { spec, run } = await specOf(text.replace("MARKER", "+kubebuilder:validation:MinProperties=1"));
  expect(run.places).toEqual([]);
  expect(spec.minProperties).toBe(1);
});

it("a field with an alias of an alias of a map accepts the markers of maps", async () => {
  const { value, run } = await specOf(`type Weights = { [key: string]: boolean }
type Levels = Weights
export interface Spec {
  // +kubebuilder:validation:MaxProperties=1
  value?: Levels
}`);
  expect(run.places).toEqual([]);
  expect(value.maxProperties).toBe(1);
});

it.each([
  ["interface", "export interface Spec { value?: Longer }"],
  ["Omit", "interface Whole { value?: Longer; a: number }\nexport type Spec = Omit<Whole, 'a'>"],
  [
    "a parent whose child redeclares another field",
    "interface Base { value?: Longer; a?: number }\nexport interface Spec extends Base { a: number }",
  ],
  ["Partial of Pick", "interface Whole { value: Longer; a: number }\nexport type Spec = Partial<Pick<Whole, 'value'>>"],
])("conflicting formats keep their order: %s", async (_, text) => {
  const { value } = await specOf(`type Long = Int32
// +kubebuilder:validation:Format=int64
type Longer = Long
${text}`);
  expect(value).toEqual({ type: "integer", format: "int64", allOf: [{ format: "int32" }, { format: "int64" }] });
});

it("a reference to another package has no format, and only the types' formats conflict", async () => {
  const head = '// +groupName=example.com\n\nimport type { KubernetesObject } from "@kubewright/runtime/api";\n';
  const { crds } = await runCrds({
    "api/shared/types.ts":
      "// +kubebuilder:validation:Format=int64\nexport type A = number;\n// +kubebuilder:validation:Format=int32\nexport type B = A;\n",
    "api/v1/types.ts": `${head}import type { B } from "../shared/types.ts";\nexport interface Thing extends KubernetesObject { b: B }\n`,
  });
  const { b } = crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
  expect(b).toEqual({ type: "integer", allOf: [{ format: "int64" }, { format: "int32" }] });
});

it.each([
  ["nothing", "", "The parent's."],
  ["something", "/** Its own. */", "Its own."],
])("a field with %s that a parent also declares", async (_, own, description) => {
  const { value } = await specOf(`/** Of the type. */
type Action = string
interface Other { value?: string }
interface Base {
  /** The parent's. */
  value?: string
}
export interface Spec extends Other, Base {
  ${own}
  // +kubebuilder:validation:Enum=a;b
  value: Action
}`);
  expect(value).toEqual({ description, type: "string", enum: ["a", "b"] });
});
