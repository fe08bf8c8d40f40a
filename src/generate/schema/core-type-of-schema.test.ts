import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { coreTypeOfSchema } from "./core-type-of-schema.ts";
import { coreTypesVersion, loadCoreType } from "./core-types.ts";
import type { CorePackage } from "./core-types-data.ts";
import { createFlattener } from "./flatten.ts";
import { mergeAllOf } from "./merge.ts";
import type { JSONSchema } from "./model/json-schema.ts";
import { coreRef, coreRefParts, knownSchema } from "./model/known-types.ts";

const root = join(import.meta.dirname, "../../..");
const core = "k8s.io/api/core/v1";

/** Returns the schema that controller-gen writes for a type. */
function schemaOf(goPackage: string, name: string): JSONSchema {
  const load = (ref: string) => {
    const parts = coreRefParts(ref);
    return (
      knownSchema(ref, { generateEmbeddedObjectMeta: false }) ?? (parts && loadCoreType(parts.goPackage, parts.name))
    );
  };
  const schema = createFlattener(load, () => {}).flattenType(coreRef(goPackage, name));
  return structuredClone(mergeAllOf(schema, () => {}));
}

describe("coreTypeOfSchema", () => {
  it.each([
    ["Condition", "k8s.io/apimachinery/pkg/apis/meta/v1", "meta/v1"],
    ["LabelSelector", "k8s.io/apimachinery/pkg/apis/meta/v1", "meta/v1"],
    ["PodTemplateSpec", core, "core/v1"],
    ["ResourceRequirements", core, "core/v1"],
    ["HorizontalPodAutoscalerBehavior", "k8s.io/api/autoscaling/v2", "autoscaling/v2"],
  ])("returns %s for its schema", (name, goPackage, door) => {
    const coreType = { name, module: `@kubewright/runtime/api/${door}` };
    const schema = schemaOf(goPackage, name);
    expect(coreTypeOfSchema(schema, "of the type")).toEqual(coreType);
    expect(coreTypeOfSchema({ ...schema, description: "Words of the field." }, "of a field")).toEqual(coreType);
  });

  it("returns the type for any order of keys and required names", () => {
    const { properties = {}, required = [], ...rest } = schemaOf(core, "ContainerPort");
    const turned = Object.fromEntries(Object.entries(properties).reverse());
    const schema: JSONSchema = { ...rest, required: [...required].reverse(), properties: turned };
    expect(coreTypeOfSchema(schema, "of the type")?.name).toBe("ContainerPort");
  });

  it("returns undefined if a description, limit or field differs", () => {
    const schema = schemaOf(core, "EnvVar");
    const { name, ...fields } = schema.properties ?? {};
    for (const properties of [
      fields,
      { ...fields, name: { ...name, maxLength: 5 } },
      { ...fields, name: { type: "string" } },
    ]) {
      expect(coreTypeOfSchema({ ...schema, properties }, "of the type")).toBeUndefined();
    }
    expect(coreTypeOfSchema({ ...schema, description: "Others." }, "of the type")).toBeUndefined();
    expect(coreTypeOfSchema({ ...schema, description: undefined }, "of a field")).toBeUndefined();
  });

  fullTest("returns only types that their module exports", () => {
    const directory = join(root, "data/core-types", coreTypesVersion);
    const packages = readdirSync(directory).flatMap((file) =>
      Object.entries<CorePackage>(JSON.parse(readFileSync(join(directory, file), "utf8")).packages),
    );
    const names = new Set<string>();
    for (const [goPackage, { schemas }] of packages) {
      if (!/^k8s\.io\/api\/(core|apps|batch)\/v1$|\/meta\/v1$/.test(goPackage)) continue;
      for (const name of Object.keys(schemas).filter((key) => schemas[key]?.properties !== undefined)) {
        const type = coreTypeOfSchema(schemaOf(goPackage, name), "of the type");
        if (type) names.add(`${type.module.replace("@kubewright/runtime/api/", "")} ${type.name}`);
      }
    }
    expect(names.size).toBeGreaterThan(200);
    const exported = (each: string) => {
      const [module = "", name = ""] = each.split(" ");
      const text = readFileSync(join(root, `packages/runtime/src/api/${module}.ts`), "utf8");
      return new RegExp(`^export (interface|type|class) ${name}\\b|^export type \\{[^}]*\\b${name}\\b`, "m").test(text);
    };
    expect([...names].filter((each) => !exported(each))).toEqual([]);
  });
});
