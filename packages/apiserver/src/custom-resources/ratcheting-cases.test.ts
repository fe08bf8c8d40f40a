import { readFileSync } from "node:fs";
import {
  type CustomResourceVersion,
  coerceCustomResource,
  schemaOf,
  textOf,
  validateCustomResource,
  validateCustomResourceUpdate,
} from "@kubewright/cel/crd";
import { cloneJson, decodeJson, type JsonObject } from "@kubewright/cel/json";
import { applyDefaults } from "@kubewright/cel/schema";
import { describe, expect, it } from "vitest";
import { defaultDefinition, prepareNewDefinition, versionsOf } from "../crd/definition.ts";
import { validateDefinition } from "../crd/validate-definition.ts";

function read(name: string): JsonObject[] {
  const url = new URL(`../../testdata/ratcheting/${name}.json`, import.meta.url);
  return decodeJson(readFileSync(url, "utf8")).value as unknown as JsonObject[];
}

const definitions = read("crds");
const versions = new Map<string, CustomResourceVersion>();
for (const definition of definitions) {
  const spec = definition.spec as JsonObject;
  for (const version of versionsOf(definition)) {
    const kind = textOf((spec.names as JsonObject).kind);
    const group = textOf(spec.group);
    versions.set(`${group}/${textOf(version.name)}/${kind}`, {
      group,
      version: textOf(version.name),
      kind,
      namespaced: spec.scope === "Namespaced",
      schema: schemaOf(version.schema) ?? {},
      preserveUnknownFields: false,
    });
  }
}

/** Prepares an object as the server does before it validates it. */
function prepared(object: JsonObject, version: CustomResourceVersion): JsonObject {
  const copy = cloneJson(object);
  coerceCustomResource(version, copy);
  applyDefaults(copy, version.schema);
  const metadata = copy.metadata as JsonObject;
  copy.metadata = {
    ...metadata,
    namespace: version.namespaced ? (metadata.namespace ?? "default") : undefined,
    resourceVersion: "1",
  };
  return copy;
}

function cases(name: string): [string, JsonObject, CustomResourceVersion][] {
  return read(name).flatMap((object) => {
    const version = versions.get(`${textOf(object.apiVersion)}/${textOf(object.kind)}`);
    const title = `${textOf(object.kind)} ${textOf((object.metadata as JsonObject).name)}`;
    return version === undefined ? [] : [[title, object, version]];
  });
}

describe("definitions of the ratcheting cases", () => {
  it.each(definitions.map((one) => [textOf((one.metadata as JsonObject).name), one] as const))(
    "accepts %s",
    (_name, one) => {
      const definition = cloneJson(one);
      defaultDefinition(definition);
      prepareNewDefinition(definition);
      expect(validateDefinition(definition)).toEqual([]);
    },
  );
});

describe("valid objects of the ratcheting cases", () => {
  it.each(cases("valid"))("accepts %s", (_name, object, version) => {
    expect(validateCustomResource(version, prepared(object, version))).toEqual([]);
  });
});

describe("invalid objects of the ratcheting cases", () => {
  it.each(cases("invalid"))("accepts an unchanged %s", (_name, object, version) => {
    const stored = prepared(object, version);
    expect(validateCustomResourceUpdate(version, prepared(object, version), stored)).toEqual([]);
  });

  it("rejects most of them as new objects; the others violate only CEL rules", () => {
    const refused = cases("invalid").filter(
      ([, object, version]) => validateCustomResource(version, prepared(object, version)).length > 0,
    );
    expect(refused.length).toBeGreaterThan(10);
  });
});
