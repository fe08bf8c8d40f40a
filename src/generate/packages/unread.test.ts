import { expect, it } from "vitest";
import { linesAbove, specOf } from "../test-support/project.ts";

async function diagnosticsOf(text: string): Promise<string[]> {
  const { run } = await specOf(text);
  return run.diagnostics.map(({ line, column, severity, message, hint, id }) => {
    return `${line - linesAbove + 1}:${column} ${severity} ${message} (${hint}) [${id}]`;
  });
}

const above = (marker: string) => `(move it to its own line above: \`// ${marker}\`) [unread-marker]`;

it.each([
  ["a: string; // +optional", "2:17 error a marker has no effect after the declaration"],
  ["a: string; //+optional", "2:16 error a marker has no effect after the declaration"],
  ["a: string, // +optional", "2:17 error a marker has no effect after the declaration"],
  ["a: string /* +optional */;", undefined],
  ["a: string; /* +optional */", "2:17 error a marker has no effect after the declaration"],
  ["a: string // +optional", "2:16 error a marker has no effect after the declaration"],
  ["a: string; /** +optional */", "2:18 error a marker has no effect after the declaration"],
  ["/* +optional */ a: string;", undefined],
  ["/*\n   * +optional\n   */\n  a: string;", undefined],
])("the generator reports unread markers of a field: %j", async (field, message) => {
  const text = `export interface Spec {\n  ${field}\n  b: string;\n}`;
  expect(await diagnosticsOf(text)).toEqual(message ? [`${message} ${above("+optional")}`] : []);
});

it("the generator reports unread markers after a type, and none in a plain comment above it", async () => {
  const text = `/* +kubebuilder:validation:Enum=a;b */
type A = string; // +kubebuilder:validation:MinLength=1
interface B {
  a: A;
} // +kubebuilder:validation:MinProperties=1
export interface Spec { b: B }`;
  expect(await diagnosticsOf(text)).toEqual([
    `2:21 error a marker has no effect after the declaration ${above("+kubebuilder:validation:MinLength=1")}`,
    `5:6 error a marker has no effect after the declaration ${above("+kubebuilder:validation:MinProperties=1")}`,
  ]);
});

it.each([
  "// optional",
  "// 1 + optional",
  "// +1 for this",
  "// +optinal",
  "// + optional",
  "// +genclient",
  "/* eslint-disable */",
  "// text\n  // +optional",
])("the generator reports no unread marker in %j", async (comment) => {
  expect(await diagnosticsOf(`export interface Spec {\n  a: string; ${comment}\n  b: string;\n}`)).toEqual([]);
});

it("the generator reports all markers of enum members, which have no effect", async () => {
  const text = `enum E { // +kubebuilder:validation:MinLength=1
  // +optional
  A = "a", // +kubebuilder:validation:Required
  B = "b" /* +nullable */, /** +required */ C = "c",
  // +optional
}
export interface Spec { e: E }`;
  const onMember = (place: string) =>
    `${place} error a marker has no effect on a member of an enum (move it above the enum) [unread-marker]`;
  expect(await diagnosticsOf(text)).toEqual(["1:13", "2:6", "3:15", "4:14", "4:32", "5:6"].map(onMember));
});

it("the generator reports markers in braces without a property below them", async () => {
  const text = `interface A { // +kubebuilder:validation:MinProperties=1
  a: string;
  // +optional
}
class B { // +kubebuilder:validation:MinProperties=1
  // +nullable
}
export interface Spec { // +kubebuilder:validation:MinProperties=2
  // +optional
  a: A; b: B }`;
  const where = "error a marker has no effect without a property below it";
  expect(await diagnosticsOf(text)).toEqual([
    `1:18 ${where} ${above("+kubebuilder:validation:MinProperties=1")}`,
    `3:6 ${where} ${above("+optional")}`,
    `5:14 ${where} ${above("+kubebuilder:validation:MinProperties=1")}`,
    `6:6 ${where} ${above("+nullable")}`,
    `8:28 ${where} ${above("+kubebuilder:validation:MinProperties=2")}`,
  ]);
});
