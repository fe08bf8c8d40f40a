import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import { describe, expect, it } from "vitest";
import { definitionState, terminating } from "../crd/conditions.ts";
import { defaultDefinition, prepareDefinitionUpdate, prepareNewDefinition } from "../crd/definition.ts";
import { compareVersions, validateDefinition, validateDefinitionUpdate } from "../crd/validate-definition.ts";
import { setCondition } from "../model/conditions.ts";
import type { ApiObject } from "../model/resource.ts";
import { compileJsonPath } from "../table/jsonpath.ts";
import { customColumns } from "./columns.ts";
import { publishedModels } from "./openapi.ts";
import { customResourceType } from "./resource-type.ts";

function definition(schema: Schema, version: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  const result: JsonObject = {
    metadata: { name: "things.example.com", resourceVersion: "1" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema as JsonObject }, ...version },
      ],
      ...spec,
    },
  };
  defaultDefinition(result);
  prepareNewDefinition(result);
  return result;
}

const open: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const messages = (one: JsonObject) => validateDefinition(one).map(fieldErrorMessage);

describe("validateDefinition", () => {
  it("accepts a small definition, with defaults", () => {
    const crd = definition(open);
    expect(messages(crd)).toEqual([]);
    expect((crd.spec as JsonObject).names).toEqual({
      plural: "things",
      singular: "thing",
      kind: "Thing",
      listKind: "ThingList",
    });
  });

  it.each<[string, JsonObject, string]>([
    ["a group without a dot", definition(open, {}, { group: "example" }), "should be a domain with at least one dot"],
    ["a missing scope", definition(open, {}, { scope: "" }), "spec.scope: Required value"],
    [
      "an unknown type",
      definition({ type: "object", properties: { a: { type: "text" } } }),
      'spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
    [
      "a missing type",
      definition({ type: "object", properties: { a: {} } }),
      "must not be empty for specified object fields",
    ],
    [
      "an invalid pattern",
      definition({ type: "object", properties: { a: { type: "string", pattern: "(" } } }),
      "error parsing regexp: missing closing ): `(`",
    ],
    [
      "a wrong default",
      definition({ type: "object", properties: { a: { type: "string", default: 1 } } }),
      'properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"',
    ],
    [
      "two storage versions",
      definition(
        open,
        {},
        {
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: open as JsonObject } },
            { name: "v2", served: true, storage: true, schema: { openAPIV3Schema: open as JsonObject } },
          ],
        },
      ),
      "must have exactly one version marked as storage version",
    ],
    [
      "a column of an unknown type",
      definition(open, { additionalPrinterColumns: [{ name: "a", type: "x", jsonPath: ".a" }] }),
      "must be one of boolean,date,integer,number,string",
    ],
    [
      "a protected group of Kubernetes",
      definition(open, {}, { group: "example.k8s.io" }),
      "protected groups must have approval annotation",
    ],
  ])("rejects %s", (_title, one, message) => {
    expect(messages(one).join("\n")).toContain(message);
  });

  it("limits the costs of single rules unless the schema is stored already", () => {
    const items: Schema = { type: "string", maxLength: 100 };
    const rule = { rule: "self.all(a, self.all(b, a != b + 'x'))" };
    const list: Schema = { type: "array", maxItems: 500, items, "x-kubernetes-validations": [rule] };
    const crd = definition({ type: "object", properties: { list } });
    expect(messages(crd)).toEqual([expect.stringContaining("estimated rule cost exceeds budget by factor of")]);
    expect(validateDefinitionUpdate(cloneJson(crd), crd)).toEqual([]);
  });
});

describe("validateDefinitionUpdate", () => {
  it("keeps names of established definitions and stored versions", () => {
    const old = definition(open);
    for (const condition of definitionState(old, []).conditions) setCondition(old, condition, "2026-01-01T00:00:00Z");
    const changed = cloneJson(old);
    const spec = changed.spec as JsonObject;
    spec.scope = "Cluster";
    spec.versions = [{ name: "v2", served: true, storage: true, schema: { openAPIV3Schema: open as JsonObject } }];
    prepareDefinitionUpdate(changed, old);
    expect(
      validateDefinitionUpdate(changed, old).map(({ field, detail }) => `${field} ${detail.slice(0, 26)}`),
    ).toEqual(["spec.scope field is immutable", "status.storedVersions[0] missing from spec.versions"]);
  });

  it("ignores errors that the stored definition already has", () => {
    const old = definition({ type: "object", properties: { a: { type: "text" } } });
    expect(validateDefinitionUpdate(cloneJson(old), old).map(({ field }) => field)).toEqual([]);
  });
});

describe("definitionState", () => {
  it("accepts unused names and establishes the definition", () => {
    const state = definitionState(definition(open), []);
    expect(state.conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["NamesAccepted", "True", "NoConflicts"],
      ["Established", "True", "InitialNamesAccepted"],
    ]);
    expect(state.acceptedNames).toEqual({ plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" });
  });

  it("reports names that another definition of the group uses", () => {
    const other = definition(open);
    (other.status as JsonObject).acceptedNames = {
      plural: "others",
      singular: "thing",
      kind: "Other",
      listKind: "OtherList",
    };
    const [names, established] = definitionState(definition(open), [other]).conditions;
    expect(names).toEqual({
      type: "NamesAccepted",
      status: "False",
      reason: "SingularConflict",
      message: '"thing" is already in use',
    });
    expect(established?.reason).toBe("NotAccepted");
  });
});

describe("publishing", () => {
  const schema: Schema = {
    type: "object",
    properties: { n: { type: "string", nullable: true }, e: { "x-kubernetes-int-or-string": true } },
  };

  it("writes the whole schema to OpenAPI version 3", () => {
    const { kindName, listName, models } = publishedModels(definition(schema), "v1", "v3");
    expect([kindName, listName]).toEqual(["com.example.v1.Thing", "com.example.v1.ThingList"]);
    const properties = models[kindName]?.properties as JsonObject;
    expect(properties.n).toEqual({ type: "string", nullable: true });
    expect(properties.e).toEqual({
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
    });
    expect(models[kindName]?.["x-kubernetes-group-version-kind"]).toEqual([
      { group: "example.com", kind: "Thing", version: "v1" },
    ]);
  });

  it("writes the parts of the schema that OpenAPI version 2 can express", () => {
    const { kindName, models } = publishedModels(definition(schema), "v1", "v2");
    const properties = models[kindName]?.properties as JsonObject;
    expect(properties.n).toEqual({});
    expect(properties.e).toEqual({ "x-kubernetes-int-or-string": true });
  });

  it("serves the status only if it is enabled", () => {
    const crd = definition(open, { subresources: { status: {} } });
    (crd.status as JsonObject).acceptedNames = definitionState(crd, []).acceptedNames;
    const type = customResourceType(crd as ApiObject, (object) => object, 1);
    expect([...(type.versions.get("v1")?.subresources.keys() ?? [])]).toEqual(["status"]);
  });

  it("serves only reading and deleting while a definition is being deleted", () => {
    const crd = definition(open);
    (crd.status as JsonObject).acceptedNames = definitionState(crd, []).acceptedNames;
    setCondition(crd, terminating.inProgress, "2026-01-01T00:00:00Z");
    const type = customResourceType(crd as ApiObject, (object) => object, 1);
    expect(type.versions.get("v1")?.verbs).toEqual(["delete", "deletecollection", "get", "list", "watch"]);
  });

  it("recommends the newest version in the warning about a deprecated one", () => {
    const warnings = (names: Record<string, JsonObject>) => {
      const versions = Object.entries(names).map(([name, version]) => ({
        name,
        served: true,
        storage: name === "v1",
        schema: { openAPIV3Schema: open as JsonObject },
        ...version,
      }));
      const type = customResourceType(definition({}, {}, { versions }) as unknown as ApiObject, (object) => object, 1);
      return [...type.versions.values()].map(({ deprecation }) => deprecation);
    };
    const deprecated = { deprecated: true };
    const custom = { deprecated: true, deprecationWarning: "don't use" };
    const versions = { v1alpha1: deprecated, v1alpha2: custom, v1beta3: {}, v1beta2: {}, v1: { served: false } };
    expect(warnings(versions)).toEqual([
      undefined,
      undefined,
      "don't use",
      "example.com/v1alpha1 Thing is deprecated; use example.com/v1beta3 Thing",
    ]);
    expect(warnings({ v1: deprecated, v1beta1: {} })).toEqual(["example.com/v1 Thing is deprecated", undefined]);
  });

  it("applies defaults without unknown metadata of embedded resources", () => {
    const value = { apiVersion: "v1", kind: "A", metadata: { name: "a", unknown: "b" } };
    const embedded: Schema = { type: "object", "x-kubernetes-embedded-resource": true, default: value };
    const crd = definition({ type: "object", properties: { template: embedded } });
    (crd.status as JsonObject).acceptedNames = (crd.spec as JsonObject).names as JsonObject;
    const codec = customResourceType(crd as unknown as ApiObject, (object) => object, 1).versions.get("v1")?.codec;
    const decoded = codec?.decode({ apiVersion: "example.com/v1", kind: "Thing", metadata: {} });
    expect(decoded?.object.template).toEqual({ ...value, metadata: { name: "a" } });
  });

  it("orders versions", () => {
    const names = ["v1beta1", "foo", "v2", "v1", "v11alpha2", "v10beta3"];
    expect(names.sort(compareVersions)).toEqual(["v2", "v1", "v10beta3", "v1beta1", "v11alpha2", "foo"]);
  });
});

describe("columns", () => {
  it("are the name and the age by default", () => {
    const { columns, cells } = customColumns({});
    expect(columns.map(({ name }) => name)).toEqual(["Name", "Age"]);
    const object = { metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" } };
    expect(cells(object, Date.UTC(2026, 0, 1, 0, 3, 20))).toEqual(["a", "3m20s"]);
  });

  it("print values by their types", () => {
    const column = (type: string, jsonPath: string) => ({ name: type, type, jsonPath });
    const additionalPrinterColumns = [
      column("string", ".o"),
      column("integer", ".i"),
      column("boolean", ".s"),
      column("string", ".missing"),
    ];
    const { cells } = customColumns({ additionalPrinterColumns });
    expect(cells({ metadata: { name: "a" }, o: { b: 1, a: [2] }, i: 1.5, s: "x" }, 0)).toEqual([
      "a",
      '{"a":[2],"b":1}',
      1,
      null,
      null,
    ]);
  });
});

describe("compileJsonPath", () => {
  const value = {
    a: { "b.c": [1, 2, 3] },
    list: [
      { type: "Ready", status: "True" },
      { type: "Other", n: 5 },
    ],
  };

  it.each([
    [".a.b\\.c[1]", [2]],
    [".a['b.c'][-1]", [3]],
    [".a['b.c'][0:2]", [1, 2]],
    [".a['b.c'][*]", [1, 2, 3]],
    ['.list[?(@.type=="Ready")].status', ["True"]],
    [".list[?(@.n>4)].type", ["Other"]],
    ["..status", ["True"]],
    [".missing.x", []],
  ])("%s", (path, expected) => {
    expect(compileJsonPath(path)(value)).toEqual(expected);
  });

  it("rejects malformed paths", () => {
    expect(() => compileJsonPath(".a[")).toThrow("unterminated array");
  });
});

describe("customResourceType", () => {
  it("reads objects of an earlier storage version with the schema of that version", () => {
    const schema = (field: string) => ({
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { [field]: { type: "string" } } } },
      },
    });
    const versions = [
      { name: "v1", served: true, storage: true, schema: schema("title") },
      { name: "v1alpha1", served: true, storage: false, schema: schema("name") },
    ];
    const stored = definition({}, {}, { versions }) as unknown as ApiObject;
    (stored.status as JsonObject).acceptedNames = (stored.spec as JsonObject).names as JsonObject;
    const type = customResourceType(stored, (object) => object, 10);
    const old = { apiVersion: "example.com/v1alpha1", kind: "Thing", metadata: {}, spec: { name: "a", title: "b" } };
    expect(type.decodeStored?.(cloneJson(old) as unknown as ApiObject)?.spec).toEqual({ name: "a" });
    const current = { ...old, apiVersion: "example.com/v1" };
    expect(type.decodeStored?.(cloneJson(current) as unknown as ApiObject)?.spec).toEqual({ title: "b" });
  });
});
