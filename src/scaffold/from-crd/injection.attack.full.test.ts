import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { sampleProblems } from "../../cli/models/sample-problems.ts";
import { markerTexts } from "../../generate/markers/write.ts";
import { coreTypeOfSchema } from "../../generate/schema/core-type-of-schema.ts";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { readCrd } from "./read.ts";
import { namesProblem } from "./resource.ts";
import { sampleOf } from "./sample.ts";
import { hostileTexts, moreThanTypes, places, withKey, withValue } from "./test-support/hostile.ts";
import { typesFile } from "./types-file.ts";

const text = readFileSync(join(import.meta.dirname, "../../../testdata/from-crd/everything.yaml"), "utf8");
const both = load(text, { schema: CORE_SCHEMA }) as { spec: { versions: object[] } };
/** The CRD with only the stored version, which takes half the time. */
const everything = { ...both, spec: { ...both.spec, versions: both.spec.versions.slice(0, 1) } };

function attempted(task: object, attempts: number): void {
  Object.assign((task as { meta: object }).meta, { attempts });
}

/** Returns the types of a document, unless it is rejected. */
function typesOf(document: unknown): { kind: string; texts: string[] } | undefined {
  const crd = readCrd(JSON.stringify(document), "crd");
  if ("message" in crd || namesProblem(crd) !== undefined) return undefined;
  return { kind: crd.spec.names.kind, texts: crd.spec.versions.map((version) => types(crd, version)) };
}

const names = { apiVersion: "test.kubewright.io/v1", kind: "Test", name: "test" };

function types(crd: CustomResourceDefinition, version: CustomResourceDefinition["spec"]["versions"][number]): string {
  stringify(sampleOf(version.schema.openAPIV3Schema, names, sampleProblems()).values);
  return typesFile(crd, version, { header: "", taken: [], foreignTypes: coreTypeOfSchema, markerTexts }).text;
}

function attack(documents: Iterable<unknown>): { tried: number; accepted: number; found: string[] } {
  const escapes: string[] = [];
  let [tried, accepted] = [0, 0];
  for (const document of documents) {
    tried++;
    const made = typesOf(document);
    if (made === undefined) continue;
    accepted++;
    for (const text of made.texts) {
      escapes.push(...moreThanTypes(text, made.kind));
      const markers = text.split("\n").filter((line) => /^\s*(\/\/|\*|\/\*\*)\s*\+kubebuilder:rbac/.test(line));
      escapes.push(...markers.map((line) => `marker ${line}`));
    }
    if (escapes.length > 5) break;
  }
  return { tried, accepted, found: escapes };
}

/** The paths of texts. malformed.attack.full.test.ts shows that other types are rejected at other paths. */
const leaves = places(everything).filter((path) => path.length > 0);

describe("code injection by --from-crd", () => {
  it("creates only types, for any text at any path", ({ task }) => {
    // All texts at each path would take minutes: each path is tested with some texts of every kind.
    const { tried, accepted, found } = attack(
      (function* () {
        let turn = 0;
        for (const path of leaves) {
          for (let count = 0; count < 2; count++)
            yield withValue(everything, path, hostileTexts[turn++ % hostileTexts.length]);
          yield withValue(everything, path, [hostileTexts[turn++ % hostileTexts.length]]);
        }
      })(),
    );
    attempted(task, tried);
    expect(found).toEqual([]);
    expect(accepted).toBeGreaterThan(100);
  });

  it("is prevented in names of properties", ({ task }) => {
    const named = leaves.filter((path) => typeof path.at(-1) === "string" && path.at(-2) === "properties");
    const { tried, accepted, found } = attack(
      (function* () {
        for (const name of hostileTexts) for (const path of named.slice(0, 6)) yield withKey(everything, path, name);
      })(),
    );
    attempted(task, tried);
    expect(found).toEqual([]);
    expect(accepted).toBeGreaterThan(100);
  });

  it.for(["description", "title", "default", "example", "format", "pattern", "enum", "x-unknown"])(
    "is prevented in %s, which accepts any text",
    (key, { task }) => {
      const schema = (value: unknown) => ({ type: "string", [key]: value });
      const path = ["spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec", "properties", "hostile"];
      const documents = hostileTexts.map((value) =>
        withValue(everything, path, schema(key === "enum" ? [value, "b"] : value)),
      );
      const long = hostileTexts.map((value) =>
        withValue(everything, path, schema(key === "enum" ? [value, `${value} ${"x".repeat(120)}`] : value)),
      );
      const { tried, found } = attack([...documents, ...long]);
      attempted(task, tried);
      expect(found).toEqual([]);
    },
  );

  const field = ["spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec", "properties", "x"] as const;
  it.for([
    ["metadata.name", ["metadata", "name"]],
    ["minimum", [...field, "minimum"]],
    ["maxLength", [...field, "maxLength"]],
    ["x-kubernetes-list-type", [...field, "x-kubernetes-list-type"]],
    ["x-kubernetes-map-type", [...field, "x-kubernetes-map-type"]],
    ["priority", ["spec", "versions", 0, "additionalPrinterColumns", 0, "priority"]],
  ] as const)("is prevented in %s, which only accepts the API server's type", ([, path], { task }) => {
    const base = withValue(everything, field, { type: "string" });
    const withColumn = withValue(
      base,
      ["spec", "versions", 0, "additionalPrinterColumns"],
      [{ name: "a", type: "string", jsonPath: ".spec.x" }],
    );
    for (const value of hostileTexts) expect(typesOf(withValue(withColumn, path, value)), value).toBeUndefined();
    attempted(task, hostileTexts.length);
  });
});
