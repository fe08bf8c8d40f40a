import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../json/json.ts";
import { InvalidDefinitionError } from "./invalid-definition-error.ts";
import { createValidator } from "./validator.ts";

const spec = {
  type: "object",
  required: ["players"],
  properties: {
    players: { type: "integer", minimum: 2, maximum: 8 },
    mode: { type: "string", enum: ["chess", "go"], default: "chess" },
    start: { type: "string", format: "date-time" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, port: { type: "integer", default: 80 } },
      },
    },
  },
  "x-kubernetes-validations": [
    {
      rule: "self.mode != 'chess' || self.players == 2",
      messageExpression: "self.mode + ' has two players'",
      fieldPath: ".players",
    },
    { rule: "self.players >= oldSelf.players", message: "players can't leave" },
  ],
};

function definition(changes: { spec?: JsonObject; schema?: Json; versions?: Json } = {}): JsonObject {
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: changes.schema ?? spec, status: { type: "object" } } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "games.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Game", plural: "games" },
      versions: changes.versions ?? [{ name: "v1", served: true, storage: true, schema }],
      ...changes.spec,
    },
  } as unknown as JsonObject;
}

const game = (fields: JsonObject, metadata: JsonObject = { name: "a" }) => ({
  ...{ apiVersion: "example.com/v1", kind: "Game" },
  ...{ metadata, spec: fields },
});
const messages = (object: object, old?: object) =>
  createValidator(definition())(object, old).errors.map(({ message }) => message);

describe("createValidator", () => {
  it("removes unknown fields and sets defaults in a copy", () => {
    const given = game({ players: 2, speed: 9, ports: [{ name: "web", protocol: "TCP" }] });
    const before = JSON.stringify(given);
    expect(createValidator(definition())(given)).toEqual({
      object: game(
        { players: 2, mode: "chess", ports: [{ name: "web", port: 80 }] },
        { name: "a", namespace: "default" },
      ),
      errors: [],
      unknownFields: ["spec.ports[0].protocol", "spec.speed"],
      warnings: [],
    });
    expect(JSON.stringify(given)).toBe(before);
  });

  it("reports errors as kube-apiserver does", () => {
    const validate = createValidator(definition());
    expect(validate(game({ players: 1, mode: "poker", start: "noon" }, { name: "A" })).errors).toEqual([
      {
        field: "metadata.name",
        type: "FieldValueInvalid",
        message: `metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      },
      {
        field: "spec.players",
        type: "FieldValueInvalid",
        message: "spec.players: Invalid value: 1: spec.players in body should be greater than or equal to 2",
      },
      {
        field: "spec.mode",
        type: "FieldValueNotSupported",
        message: 'spec.mode: Unsupported value: "poker": supported values: "chess", "go"',
      },
      {
        field: "spec.start",
        type: "FieldValueTypeInvalid",
        message: 'spec.start: Invalid value: "noon": spec.start in body must be of type date-time: "noon"',
      },
      {
        field: "",
        type: "FieldValueInvalid",
        message:
          "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
      },
    ]);
  });

  it("evaluates rules, also those about updates", () => {
    expect(messages(game({ players: 3 }))).toEqual(["spec.players: Invalid value: chess has two players"]);
    expect(messages(game({ players: 3, mode: "go" }), game({ players: 4, mode: "go" }))).toEqual([
      "spec: Invalid value: players can't leave",
    ]);
    expect(messages(game({ players: 4, mode: "go" }), game({ players: 3, mode: "go" }))).toEqual([]);
  });

  it("reports immutable metadata, and duplicates in lists", () => {
    const old = game({ players: 2 }, { name: "a", namespace: "b", uid: "1", resourceVersion: "7" });
    expect(messages(game({ players: 2 }, { name: "a", namespace: "c" }), old)).toEqual([
      'metadata.namespace: Invalid value: "c": field is immutable',
    ]);
    expect(messages(game({ players: 2, ports: [{ name: "x" }, { name: "x" }] }))).toEqual([
      'spec.ports[1]: Duplicate value: {"name":"x"}',
    ]);
  });

  it("reports errors of unchanged fields in updates as warnings", () => {
    const invalid = game({ players: 3 }, { name: "a" });
    const { errors, warnings } = createValidator(definition())({ ...invalid, status: {} }, invalid);
    expect([errors, warnings]).toEqual([[], ["spec.players: Invalid value: chess has two players"]]);
  });

  it("accepts objects whose names the server generates", () => {
    expect(messages(game({ players: 2 }, { generateName: "game-" }))).toEqual([]);
    expect(messages(game({ players: 2 }, {}))[0]).toBe(
      "metadata.name: Required value: name or generateName is required",
    );
  });

  it("uses the namespace of its options, and none for kinds of the cluster", () => {
    const inTests = createValidator(definition(), { namespace: "tests" })(game({ players: 2 }));
    expect(inTests.object.metadata).toEqual({ name: "a", namespace: "tests" });
    const ofCluster = createValidator(definition({ spec: { scope: "Cluster" } }))(game({ players: 2 }));
    expect([ofCluster.object.metadata, ofCluster.errors]).toEqual([{ name: "a" }, []]);
  });

  it("selects the version by the object's apiVersion", () => {
    const version = (name: string, minimum: number, served = true) => ({
      ...{ name, served, storage: name === "v1" },
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: { spec: { type: "object", properties: { players: { type: "integer", minimum } } } },
        },
      },
    });
    const validate = createValidator(
      definition({ versions: [version("v1", 1), version("v2", 2), version("v3", 3, false)] as unknown as Json }),
    );
    const errors = (apiVersion: string, players: number) =>
      validate({ ...game({ players }), apiVersion }).errors.map(({ message }) => message);
    expect(errors("example.com/v1", 1)).toEqual([]);
    expect(errors("example.com/v2", 1)).toEqual([
      "spec.players: Invalid value: 1: spec.players in body should be greater than or equal to 2",
    ]);
    expect(errors("example.com/v3", 9)).toEqual([
      'apiVersion: Unsupported value: "example.com/v3": supported values: "example.com/v1", "example.com/v2"',
    ]);
    expect(validate({ ...game({ players: 2 }), kind: "Match" }).errors.map(({ message }) => message)).toEqual([
      'kind: Invalid value: "Match": must be Game',
    ]);
  });

  it("reports objects that can't be decoded", () => {
    expect(createValidator(definition())({ ...game({ players: 2 }), metadata: { name: 5 } }).errors).toEqual([
      {
        field: "",
        type: "BadRequest",
        message: "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string",
      },
    ]);
  });
});

describe("a definition that isn't valid", () => {
  const problem = (changed: object): string => {
    try {
      createValidator(changed);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidDefinitionError);
      return (error as Error).message;
    }
    return "";
  };

  it("is rejected with the errors of kube-apiserver", () => {
    expect(problem(definition({ schema: { properties: {} } }))).toBe(
      'CustomResourceDefinition "games.example.com" is invalid: spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    );
    const rule = { type: "object", "x-kubernetes-validations": [{ rule: "self.x > 1" }] };
    expect(problem(definition({ schema: rule }))).toContain("undefined field 'x'");
  });

  it("is rejected if it is another object", () => {
    expect(problem({ kind: "CustomResourceDefinition", apiVersion: "apiextensions.k8s.io/v1beta1", spec: {} })).toBe(
      'CustomResourceDefinition "" is invalid: expected apiextensions.k8s.io/v1, CustomResourceDefinition with a spec, got apiVersion "apiextensions.k8s.io/v1beta1" and kind "CustomResourceDefinition"',
    );
    expect(problem(definition({ versions: [] }))).toContain("spec.versions: no version is served");
  });
});
