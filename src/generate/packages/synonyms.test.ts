// JSDoc tags as synonyms of markers.
import { describe, expect, it } from "vitest";
import { linesAbove, runCrds, specOf } from "../test-support/project.ts";

const field = async (comment: string, type: string) => {
  const { value, run } = await specOf(`export interface Spec {\n/**\n * Doc.\n${comment}\n */\nvalue: ${type} }`);
  return { value, run };
};

describe("a JSDoc tag has the effect of its marker", () => {
  it.each<[string, string, object]>([
    ["@minimum 1", "Int32", { minimum: 1 }],
    ["@maximum -5", "Int32", { maximum: -5 }],
    ["@exclusiveMinimum 3", "Int32", { minimum: 3, exclusiveMinimum: true }],
    ["@exclusiveMaximum true", "Int32", { exclusiveMaximum: true }],
    ["@multipleOf 2", "Int32", { multipleOf: 2 }],
    ["@minLength 1", "string", { minLength: 1 }],
    ["@maxLength 63", "string", { maxLength: 63 }],
    ["@pattern ^[a-z]+\\d$", "string", { pattern: "^[a-z]+\\d$" }],
    ["@format uri", "string", { format: "uri" }],
    ["@title A value", "string", { title: "A value" }],
    ["@minItems 1", "string[]", { minItems: 1 }],
    ["@maxItems 9", "string[]", { maxItems: 9 }],
    ["@minProperties 1", "Record<string, string>", { minProperties: 1 }],
    ["@maxProperties 9", "Record<string, string>", { maxProperties: 9 }],
    ['@default "a"', "string", { default: "a" }],
    ["@default `5`", "Int32", { default: 5 }],
    ['@default { "a": [1, null] }', "JSONValue", { default: { a: [1, null] } }],
    ['@default {\n *   "a": 1\n * }', "JSONValue", { default: { a: 1 } }],
    ["@example 5\n * @example 6", "Int32", { example: 5 }],
  ])("%s", async (tag, type, expected) => {
    const { value, run } = await field(` * ${tag}`, type);
    expect(run.diagnostics).toEqual([]);
    expect(value).toMatchObject({ description: "Doc.", ...expected });
  });

  it("@deprecated on a kind applies to its version", async () => {
    const text = `// +groupName=a.b
import type { KubernetesObject } from "@kubewright/runtime/api";
/**
 * A kind.
 * @deprecated Use v2
 *   instead.
 */
export interface A extends KubernetesObject {}
/** @deprecated */
export interface B extends KubernetesObject {}`;
    const { crds } = await runCrds({ "api/v1/a.ts": text });
    expect(crds.map(({ spec }) => spec.versions[0])).toMatchObject([
      { deprecated: true, deprecationWarning: "Use v2 instead." },
      { deprecated: true },
    ]);
    expect(crds[1]?.spec.versions[0]).not.toHaveProperty("deprecationWarning");
  });
});

describe("a marker has priority over its synonym", () => {
  it.each([
    [" * @minimum 1\n * +kubebuilder:validation:Minimum=2", "Int32", { minimum: 2 }],
    [" * @minimum 1\n * +k8s:minimum=2", "Int32", { minimum: 2 }],
    [" * @default 1\n * +kubebuilder:default=2", "Int32", { default: 2 }],
    [" * +default=2\n * @default 1", "Int32", { default: 2 }],
    [" * @pattern a\n * +kubebuilder:validation:Pattern=b", "string", { pattern: "b" }],
  ])("%s", async (comment, type, expected) => {
    expect((await field(comment, type)).value).toMatchObject(expected);
  });
});

describe("other tags and invalid values", () => {
  it.each([
    ["have no effect: an example with code", " * @example\n * ```ts\n * f();\n * ```", "string"],
    ["have no effect: an unknown tag", " * @see x\n * @remarks y\n * @deprecated not for fields", "string"],
    ["have no effect: a tag within a line", " * see @minimum 5", "string"],
  ])("%s", async (_, comment, type) => {
    const { value, run } = await field(comment, type);
    expect(run.diagnostics).toEqual([]);
    expect(value).toEqual({ type: "string", description: expect.any(String) });
  });

  it("cause a warning for a default that isn't valid JSON", async () => {
    const { value, run } = await field(" * @default production", "string");
    expect(value).not.toHaveProperty("default");
    expect(run.places).toEqual([`api/v1/thing.ts:${linesAbove + 3}:4 warning synonym-not-json`]);
  });

  it("cause an error for a limit that isn't a number, at its position", async () => {
    const { run } = await field(" * @minimum few", "Int32");
    expect(run.diagnostics).toMatchObject([{ id: "invalid-marker", line: linesAbove + 3, severity: "error" }]);
  });

  it("cause the marker's error for a limit on the wrong type", async () => {
    const { run } = await field(" * @minimum 5", "string");
    expect(run.diagnostics).toMatchObject([{ id: "marker-not-applicable", line: linesAbove + 3 }]);
  });
});

it("a diagnostic about a tag has the position of its value, and contains the tag", async () => {
  const { run } = await field(" * @minimum   x\n * @maxLength 1.5", "string");
  expect(run.diagnostics.map(({ line, column, message }) => [line - linesAbove, column, message])).toEqual([
    [3, 15, '@minimum: invalid minimum value "x"'],
    [4, 15, '@maxLength: expected integer, got "1.5"'],
  ]);
});
