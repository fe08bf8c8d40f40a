// Creates random CRDs with all keywords that structural schemas may have.
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Random } from "../../scripts/test-support/random.ts";

const texts = [
  "One.",
  "a",
  "",
  "quotes \" and ' and `",
  "back\\slash",
  "One.\n\nTwo.",
  "- one\n- two",
  "+marker",
  "TODO one",
  "ends */ here",
  " leading",
  "ünï ✓ 😀",
  "a,b=c;d:e{f}",
  "null",
  "0644",
  "2020-01-01",
  "@default 1",
];
/** Texts for messages, which can't have line breaks. */
const lines = texts.filter((text) => text !== "" && !text.includes("\n"));
const patterns = ["^a+$", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "^(\\d+|`x`)$", '^"a"/\\\\$', "", "(?i)^a", "^[\\p{L}]+$"];
const names = [
  "a",
  "b-c",
  "d.e",
  "$ref",
  "constructor",
  "default",
  "x y",
  "type",
  "0",
  "A",
  "aB",
  "é",
  "items",
  "enum",
];
const formats = [
  "date-time",
  "byte",
  "int32",
  "int64",
  "float",
  "double",
  "date",
  "duration",
  "uuid",
  "ipv4",
  "email",
  "odd",
];
const preserve = "x-kubernetes-preserve-unknown-fields";
const reasons = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];
const scalarTypes = ["string", "integer", "number", "boolean"];

/** Returns a random CRD with one to three versions, and parts of all kinds. The API server may refuse it. */
export function randomCrd(random: Random): JsonObject {
  return new Writer(random).crd();
}

/** Creates the parts of a random CRD. */
class Writer {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  crd(): JsonObject {
    const kind = this.#random.pick(["Amount", "amount", "Object", "Amounts", "Time", "my-kind"]);
    const plural = this.#random.pick(["amounts", kind.toLowerCase(), "am-ounts"]);
    const count = this.#random.pick([1, 1, 2, 3]);
    const versions = ["v1", "v1beta1", "v2alpha1"].slice(0, count);
    const names = {
      kind,
      plural,
      ...this.#maybe("singular", () => this.#random.pick(["amount", kind.toLowerCase(), ""])),
      ...this.#maybe("listKind", () => this.#random.pick([`${kind}List`, "Listing"])),
      ...this.#maybe("shortNames", () => this.#random.pick([[], ["am"], ["am", "x-y"]])),
      ...this.#maybe("categories", () => this.#random.pick([[], ["all"], ["all", "example"]])),
    };
    const metadata = {
      name: `${plural}.random.example.com`,
      ...this.#maybe("annotations", () => ({ "example.com/a": this.#text(), b: this.#text() })),
      ...this.#maybe("labels", () => ({ "example.com/a": this.#random.pick(["", "b", "c_d"]) })),
    };
    const storage = this.#random.pick(versions);
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata,
      spec: {
        group: "random.example.com",
        scope: this.#random.pick(["Namespaced", "Cluster"]),
        names,
        ...this.#maybe("conversion", () => this.#conversion()),
        versions: versions.map((name) => this.#version(name, name === storage)),
      },
    };
  }

  #conversion(): JsonObject {
    if (this.#random.chance(0.5)) return { strategy: "None" };
    const service = { namespace: "system", name: "hook", path: "/convert" };
    return { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: { service } } };
  }

  #version(name: string, storage: boolean): JsonObject {
    const deprecated = this.#random.chance(0.2);
    return {
      name,
      storage,
      served: this.#random.chance(0.8),
      ...(deprecated ? { deprecated, ...this.#maybe("deprecationWarning", () => this.#random.pick(lines)) } : {}),
      ...this.#maybe("subresources", () => this.#subresources()),
      ...this.#maybe("additionalPrinterColumns", () => this.#several(() => this.#column())),
      ...this.#maybe("selectableFields", () => [{ jsonPath: this.#random.pick([".spec.replicas", ".spec.name"]) }]),
      schema: { openAPIV3Schema: this.#root() },
    };
  }

  #subresources(): JsonObject {
    return {
      ...this.#maybe("status", () => ({})),
      ...this.#maybe("scale", () => ({
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.replicas",
        ...this.#maybe("labelSelectorPath", () => this.#random.pick([".status.selector", ".spec.name", ""])),
      })),
    };
  }

  #column(): JsonObject {
    const paths = [".spec.name", ".metadata.creationTimestamp", '.status.c[?(@.type=="Ready")].status', ".spec['a']"];
    return {
      name: this.#random.pick(["Name", "My column", "Größe", 'a"b', "A,B=C"]),
      type: this.#random.pick(["string", "integer", "number", "boolean", "date"]),
      jsonPath: this.#random.pick([
        ...paths,
        ".metadata.labels.example\\.com/a",
        ".spec.list[*]",
        "..name",
        ".spec.d[0:2]",
      ]),
      ...this.#maybe("description", () => this.#text()),
      ...this.#maybe("format", () =>
        this.#random.pick(["int32", "int64", "float", "double", "byte", "date-time", "password"]),
      ),
      ...this.#maybe("priority", () => this.#random.pick([0, 1, -1, 10])),
    };
  }

  #root(): JsonObject {
    const spec = this.#object(3);
    const properties = { replicas: { type: "integer" }, name: { type: "string" }, ...(spec.properties as JsonObject) };
    return {
      type: "object",
      ...this.#maybe("description", () => this.#text()),
      ...this.#maybe("required", () => this.#random.pick([["spec"], ["metadata"], ["kind", "spec"], ["a"]])),
      ...this.#maybe("x-kubernetes-validations", () => this.#several(() => this.#rule())),
      ...this.#maybe("x-kubernetes-preserve-unknown-fields", () => true),
      properties: {
        ...this.#maybe("apiVersion", () => ({ type: "string", description: "The version." })),
        ...this.#maybe("metadata", () =>
          this.#random.pick([
            { type: "object" },
            { type: "object", properties: { name: { type: "string", maxLength: 20 } } },
          ]),
        ),
        spec: { ...spec, properties },
        ...this.#maybe("status", () => ({
          ...this.#object(2),
          properties: { replicas: { type: "integer" }, selector: { type: "string" } },
        })),
        ...this.#maybe(this.#random.pick(names), () => this.#schema(2)),
      },
    };
  }

  /** Returns a schema for a field, at most this number of levels deep. */
  #schema(depth: number): JsonObject {
    const make = this.#random.pick([
      ...Array(4).fill(() => this.#scalar()),
      () => this.#any(),
      () => this.#intOrString(),
      ...(depth > 0
        ? [
            () => this.#object(depth - 1),
            () => this.#object(depth - 1),
            () => this.#map(depth - 1),
            () => this.#list(depth - 1),
            () => this.#list(depth - 1),
          ]
        : []),
    ]);
    return { ...make(), ...this.#common() };
  }

  #common(): JsonObject {
    return {
      ...this.#maybe("description", () => this.#text()),
      ...this.#rarely("title", () => this.#text()),
      ...this.#rarely("nullable", () => this.#random.pick([true, true, false])),
      ...this.#rarely("example", () => this.#value()),
      ...this.#rarely("externalDocs", () =>
        this.#random.pick([{ url: "https://example.com/a" }, { url: "b", description: this.#text() }]),
      ),
      ...this.#rarely(this.#random.pick(["allOf", "anyOf", "oneOf"]), () => this.#several(() => this.#condition(2))),
      ...this.#rarely("not", () => this.#condition(2)),
    };
  }

  /** Returns a schema of values for `allOf`, `anyOf`, `oneOf` and `not`, which may only limit values. */
  #condition(depth: number): JsonObject {
    return {
      ...this.#maybe("enum", () => [this.#value()]),
      ...this.#maybe("pattern", () => this.#random.pick(patterns)),
      ...this.#maybe("minimum", () => this.#number()),
      ...this.#rarely("maxLength", () => 5),
      ...this.#rarely("required", () => ["a"]),
      ...(depth > 0 ? this.#rarely("not", () => this.#condition(depth - 1)) : {}),
      ...(depth > 0 ? this.#rarely("anyOf", () => this.#several(() => this.#condition(depth - 1))) : {}),
    };
  }

  #scalar(): JsonObject {
    const type = this.#random.pick(scalarTypes);
    // Below maps, the API server accepts defaults that violate the limits, but the generator doesn't.
    const limits = this.#random.chance(0.1)
      ? { default: this.#valueOf(type) }
      : {
          ...this.#rarely("format", () => this.#random.pick(formats)),
          ...this.#rarely("enum", () => this.#several(() => this.#valueOf(type))),
          ...this.#limits(type),
        };
    return {
      type,
      ...limits,
      ...this.#rarely("x-kubernetes-validations", () => this.#several(() => this.#rule())),
    };
  }

  /** Returns limits for a type, and seldom for others, which have no effect. */
  #limits(type: string): JsonObject {
    const isNumber = (type === "integer" || type === "number") !== this.#random.chance(0.05);
    const isText = (type === "string") !== this.#random.chance(0.05);
    return {
      ...(isNumber ? this.#rarely("minimum", () => this.#number()) : {}),
      ...(isNumber ? this.#rarely("maximum", () => this.#number()) : {}),
      ...(isNumber ? this.#rarely("exclusiveMinimum", () => this.#random.pick([true, false])) : {}),
      ...(isNumber ? this.#rarely("multipleOf", () => this.#random.pick([1, 0.5, 2, 1e-7])) : {}),
      ...(isText ? this.#rarely("minLength", () => this.#random.pick([0, 1])) : {}),
      ...(isText ? this.#rarely("maxLength", () => this.#random.pick([0, 63, 2 ** 40])) : {}),
      ...(isText ? this.#rarely("pattern", () => this.#random.pick(patterns)) : {}),
    };
  }

  #any(): JsonObject {
    return {
      [preserve]: true,
      ...this.#random.pick([{}, {}, {}, { default: this.#value() }, { enum: [this.#value()] }]),
    };
  }

  #intOrString(): JsonObject {
    const plain = [{ type: "integer" }, { type: "string" }];
    return {
      "x-kubernetes-int-or-string": true,
      ...this.#random.pick<JsonObject>([
        { anyOf: plain },
        { anyOf: plain },
        {},
        { allOf: [{ anyOf: plain }, { minimum: 1 }] },
      ]),
      ...this.#random.pick<JsonObject>([
        {},
        {},
        { default: 1 },
        { default: "25%" },
        { enum: [1, "a"] },
        { pattern: this.#random.pick(patterns) },
      ]),
    };
  }

  #object(depth: number): JsonObject {
    const properties = Object.fromEntries(
      this.#several(() => [this.#random.pick(names), this.#schema(depth)] as const),
    );
    const keys = Object.keys(properties);
    return {
      type: "object",
      ...this.#random.pick<JsonObject>([{ properties }, { properties }, { properties }, {}]),
      ...this.#maybe("required", () => this.#random.pick([[this.#random.pick(keys)], keys, [], ["missing"]])),
      ...this.#random.pick<JsonObject>([
        {},
        {},
        {},
        {},
        { [preserve]: true },
        { [preserve]: true, "x-kubernetes-embedded-resource": true },
      ]),
      ...this.#rarely("x-kubernetes-map-type", () => this.#random.pick(["atomic", "granular"])),
      ...this.#rarely(this.#random.pick(["minProperties", "maxProperties"]), () => 3),
      ...this.#rarely("x-kubernetes-validations", () => this.#several(() => this.#rule())),
      ...this.#rarely("description", () => this.#text()),
    };
  }

  #map(depth: number): JsonObject {
    return {
      type: "object",
      additionalProperties: this.#random.chance(0.2) ? this.#random.pick([true, false]) : this.#schema(depth),
      ...this.#rarely("x-kubernetes-map-type", () => this.#random.pick(["atomic", "granular"])),
      ...this.#random.pick<JsonObject>([{}, {}, { default: {} }, { minProperties: 1 }]),
    };
  }

  #list(depth: number): JsonObject {
    const keyed = this.#random.chance(0.3);
    const key: JsonObject = { name: { type: "string" } };
    const object = this.#object(depth);
    const items = keyed
      ? { ...object, type: "object", properties: { ...(object.properties as JsonObject), ...key }, required: ["name"] }
      : this.#schema(depth);
    return {
      type: "array",
      items,
      ...(keyed ? { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] } : {}),
      ...(keyed ? {} : this.#rarely("x-kubernetes-list-type", () => this.#random.pick(["atomic", "set"]))),
      ...this.#random.pick<JsonObject>([{}, {}, { default: [] }, { minItems: 0 }, { minItems: 1, maxItems: 5 }]),
      ...this.#rarely("x-kubernetes-validations", () => this.#several(() => this.#rule())),
    };
  }

  #rule(): JsonObject {
    const rule = this.#random.pick(["true", "self == self", "self == oldSelf", '"a\\n" != "`"', "1 < 2\n&& true"]);
    const message = { message: this.#random.pick(lines) };
    return {
      rule,
      ...(rule.includes("\n") || this.#random.chance(0.5) ? message : {}),
      ...this.#rarely("messageExpression", () => this.#random.pick(['"a"', '"a" + "\\"b\\""'])),
      ...this.#rarely("reason", () => this.#random.pick(reasons)),
      ...(rule.includes("oldSelf") ? this.#rarely("optionalOldSelf", () => this.#random.pick([true, false])) : {}),
    };
  }

  #number(): number {
    return this.#random.pick([0, 1, -1, 1.5, 1e21, 1e-9, 2 ** 53, 100]);
  }

  #value(): Json {
    return this.#random.pick<Json>([null, true, 0, 1.5, "", "a", [], [1], {}, { a: 1 }, this.#text()]);
  }

  #valueOf(type: string): Json {
    if (type === "string") return this.#text();
    if (type === "boolean") return this.#random.chance(0.5);
    return type === "integer" ? this.#random.pick([0, 1, -1, 2 ** 40]) : this.#random.pick([0, 0.5, -1, 1e-7]);
  }

  #text(): string {
    return this.#random.pick(texts);
  }

  #several<T>(make: () => T): T[] {
    return Array.from({ length: this.#random.pick([1, 1, 2, 3]) }, make);
  }

  #maybe(key: string, make: () => Json): JsonObject {
    return this.#random.chance(0.4) ? { [key]: make() } : {};
  }

  #rarely(key: string, make: () => Json): JsonObject {
    return this.#random.chance(0.1) ? { [key]: make() } : {};
  }
}
