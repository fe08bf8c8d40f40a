import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { mostProcessorTime, processorTime } from "../../../scripts/test-support/processor-time.ts";
import { sampleProblems } from "../../cli/models/sample-problems.ts";
import { markerTexts } from "../../generate/markers/write.ts";
import { coreTypeOfSchema } from "../../generate/schema/core-type-of-schema.ts";
import { readCrd } from "./read.ts";
import { namesProblem } from "./resource.ts";
import { sampleOf } from "./sample.ts";
import { places, withValue } from "./test-support/hostile.ts";
import { typesFile } from "./types-file.ts";

const text = readFileSync(join(import.meta.dirname, "../../../testdata/from-crd/everything.yaml"), "utf8");
const both = load(text, { schema: CORE_SCHEMA }) as { spec: { versions: object[] } };
const everything = { ...both, spec: { ...both.spec, versions: both.spec.versions.slice(0, 1) } };

/** Values of every type, in YAML. */
const values: Readonly<Record<string, string>> = {
  "no value": "null",
  "a flag": "true",
  "a number": "5",
  "a fraction": "0.5",
  "negative zero": "-0",
  "a huge integer": "99999999999999999999",
  "a longer integer": "9".repeat(100),
  "a huge number": "1.5e308",
  infinity: "-.inf",
  "not a number": ".nan",
  "a date": "2026-01-31",
  "a time": "2026-01-31T12:00:00Z",
  "a text": '"text"',
  "an empty string": '""',
  "a list": "[1, {}]",
  "an empty list": "[]",
  "a list of null": "[null]",
  "a map": "{a: 1}",
  "an empty map": "{}",
  "a map with special keys": '{__proto__: {a: 1}, constructor: 1, toString: [], "": null, 5: 5, true: true}',
};

/** Returns a problem's message; or an empty text, if types and a sample were created. Exceptions are bugs. */
function outcome(yaml: string): string {
  const crd = readCrd(yaml, "crd.yaml");
  if ("message" in crd) return crd.message;
  const names = namesProblem(crd);
  if (names !== undefined) return names.message;
  const sample = { apiVersion: "test.kubewright.io/v1", kind: "Test", name: "test" };
  for (const version of crd.spec.versions) {
    typesFile(crd, version, { header: "", taken: [], foreignTypes: coreTypeOfSchema, markerTexts });
    stringify(sampleOf(version.schema.openAPIV3Schema, sample, sampleProblems()).values);
  }
  return "";
}

const place = "@@place@@";

describe("malformed CRDs", () => {
  it("cause one line with the path, or types, for any value at any path", ({ task }) => {
    let attempts = 0;
    // All values at all paths take a minute: each path is tested with every fourth value.
    let turn = 0;
    const wrong: string[] = [];
    for (const path of places(everything)) {
      const template = JSON.stringify(withValue(everything, path, place));
      for (const [name, value] of Object.entries(values)) {
        if (turn++ % 4 !== 0) continue;
        attempts++;
        const yaml = template.replace(`"${place}"`, () => value);
        try {
          const message = outcome(yaml);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in a message.
          if (/[\u0000-\u001f\u2028\u2029]/.test(message) || message.length > 400)
            wrong.push(`${path.join(".")} with ${name}: ${message}`);
        } catch (error) {
          wrong.push(`${path.join(".")} with ${name}: ${(error as Error).stack}`);
        }
      }
      if (path.length > 0) {
        attempts++;
        try {
          outcome(JSON.stringify(withValue(everything, path, undefined)));
        } catch (error) {
          wrong.push(`${path.join(".")} missing: ${(error as Error).stack}`);
        }
      }
      if (wrong.length > 5) break;
    }
    Object.assign(task.meta, { attempts });
    expect(wrong).toEqual([]);
  });

  const spec = "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.x";
  const at = ["spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec", "properties", "x"];
  it.each<[unknown, string]>([
    [5, `${spec} is 5, and must be a map`],
    [{ type: "text" }, `${spec}.type is "text", and must be string or integer or`],
    [{ minimum: "1" }, `${spec}.minimum is "1", and must be a finite number`],
    [{ maxLength: 0.5 }, `${spec}.maxLength is 0.5, and must be an integer of 64 bits`],
    [{ exclusiveMinimum: 1 }, `${spec}.exclusiveMinimum is 1, and must be true or false`],
    [{ enum: "a" }, `${spec}.enum is "a", and must be a list`],
    [{ required: ["a", 1] }, `${spec}.required[1] is 1, and must be a string`],
    [{ items: [{}] }, `${spec}.items is a list, and must be a map`],
    [{ properties: { "odd name": 1 } }, `${spec}.properties["odd name"] is 1, and must be a map`],
    [
      { pattern: "(?=a)" },
      `${spec}.pattern is "(?=a)", and must be a regular expression of Go: invalid or unsupported Perl syntax`,
    ],
    [{ "x-kubernetes-list-type": "bag" }, `${spec}.x-kubernetes-list-type is "bag", and must be atomic or set or map`],
    [
      { "x-kubernetes-validations": [{ message: "a" }] },
      `${spec}.x-kubernetes-validations[0].rule is missing, and is required`,
    ],
  ])("cause an error with the path and the rule: %j", (value, message) => {
    expect(outcome(JSON.stringify(withValue(everything, at, value)))).toContain(message);
  });

  it("are rejected in bounded time if reading them is costly", ({ task }) => {
    const bomb = Array.from({ length: 40 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`);
    const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    const attempts: Record<string, [string, RegExp]> = {
      aliases: [`${head}a0: &a0 [x, x]\n${bomb.join("")}`, /document contains excessive aliasing$/],
      "an alias to itself": [`${head}a: &a [*a]\n`, /anchor 'a' value contains itself$/],
      brackets: [`${head}a: ${"[".repeat(1_000_000)}`, /nest deeper than 100 levels$/],
      dashes: [`${"- ".repeat(500_000)}a`, /nest deeper than 100 levels$/],
      documents: ["---\na\n".repeat(200_000), /has 200000 documents, and the limit is 10000$/],
      "empty documents": ["---\n".repeat(1_000_000), /holds no CustomResourceDefinition, but nothing$/],
      size: [`${head}a: ${"x".repeat(9 * 1024 * 1024)}`, /has \d+ bytes, and the limit is 8388608$/],
    };
    for (const [name, [yaml, message]] of Object.entries(attempts)) {
      const used = processorTime();
      expect(outcome(yaml), name).toMatch(message);
      expect(used(), name).toBeLessThan(mostProcessorTime);
    }
    Object.assign(task.meta, { attempts: Object.keys(attempts).length });
  });

  it("are reported as templates only if they are text with actions", () => {
    expect(readCrd("{{- if .Values.crds }}\nkind: X\n", "crd")).toMatchObject({
      hint: expect.stringContaining("templates"),
    });
    expect(readCrd("[".repeat(1000), "crd")).toMatchObject({ hint: undefined });
  });

  it("get a sample in bounded time, or none", ({ task }) => {
    const evil = Array.from({ length: 40 }, (_, index) => `^(a+)+b${index}$`);
    const schemas: Record<string, object> = {
      "a pattern with exponential backtracking": { type: "string", pattern: "^(a+)+b$" },
      "many such patterns": {
        type: "object",
        required: Object.keys(evil),
        properties: { ...evil.map((pattern) => ({ type: "string", pattern, minLength: 50_000 })) },
      },
      "a large regular expression": { type: "string", pattern: "(a{1000})".repeat(2000) },
      "many large regular expressions": {
        type: "object",
        required: Object.keys(evil),
        properties: { ...evil.map((_, index) => ({ type: "string", pattern: `(x*){900}y${index}`.repeat(10) })) },
      },
      "a pattern of 1 MB": { type: "string", pattern: "a?".repeat(500_000) },
      "many items": { type: "array", minItems: 1_000_000_000, items: { type: "string" } },
      "more items than a list can have": { type: "array", minItems: 5_000_000_000, items: { type: "string" } },
      "nested lists": {
        type: "array",
        minItems: 1000,
        items: { type: "array", minItems: 1000, items: { type: "array", minItems: 1000, items: {} } },
      },
      "many fields": { type: "object", minProperties: 1_000_000_000, additionalProperties: { type: "string" } },
      "a long string": { type: "string", minLength: 9_000_000_000 },
      "many long strings": { type: "array", minItems: 1000, items: { type: "string", minLength: 100_000 } },
      "no step": { type: "number", multipleOf: 5e-324, minimum: 1 },
    };
    for (const [name, schema] of Object.entries(schemas)) {
      const made = withValue(everything, at, schema) as object;
      const required = withValue(
        made,
        ["spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec", "required"],
        ["x"],
      );
      const used = processorTime();
      expect(outcome(JSON.stringify(required)), name).toBe("");
      expect(used(), name).toBeLessThan(mostProcessorTime);
    }
    Object.assign(task.meta, { attempts: Object.keys(schemas).length });
  });
});
