import { describe, expect, it } from "vitest";
import { markerRegistry } from "../../markers/index.ts";
import { linesAbove, specOf } from "../../test-support/project.ts";

const apply = async (type: string, ...markers: string[]) => {
  const lines = markers.map((marker) => `  // +${marker}`).join("\n");
  const { value, spec, run } = await specOf(`export interface Spec {\n${lines}\n  value: ${type};\n}`);
  return { value, spec, messages: run.diagnostics.map((diagnostic) => diagnostic.message), places: run.places };
};
const v = "kubebuilder:validation:";

describe("markers on fields", () => {
  it.each([
    ["Int32", [`${v}Minimum=1`, `${v}Maximum=-0`], { minimum: 1, maximum: -0 }],
    ["Int32", [`${v}ExclusiveMinimum=true`, `${v}ExclusiveMaximum=false`], { exclusiveMinimum: true }],
    ["Int32", [`${v}MultipleOf=5`], { multipleOf: 5 }],
    [
      "string",
      [`${v}MinLength=0`, `${v}MaxLength=3`, `${v}Pattern=\`^a$\``],
      { minLength: 0, maxLength: 3, pattern: "^a$" },
    ],
    [
      "string[]",
      [`${v}MinItems=1`, `${v}MaxItems=2`, `${v}UniqueItems=true`],
      { minItems: 1, maxItems: 2, uniqueItems: true },
    ],
    ["Record<string, string>", [`${v}MinProperties=1`, `${v}MaxProperties=2`], { minProperties: 1, maxProperties: 2 }],
    ["string", [`${v}Enum=a;1;true`], { enum: ["a", 1, true] }],
    ['"x" | "y"', [`${v}Enum=x`], { enum: ["x"] }],
    ["string", [`${v}Format=uri`], { format: "uri" }],
    ["IntOrString", [`${v}Pattern="^1$"`, `${v}XIntOrString`], { pattern: "^1$", "x-kubernetes-int-or-string": true }],
    ["RawExtension", [`${v}EmbeddedResource`], { "x-kubernetes-embedded-resource": true }],
    ["string", [`${v}XEmbeddedResource`], { "x-kubernetes-embedded-resource": true }],
    ["{}", ["kubebuilder:pruning:PreserveUnknownFields"], { "x-kubernetes-preserve-unknown-fields": true }],
    ["{}", [`${v}XPreserveUnknownFields`], { "x-kubernetes-preserve-unknown-fields": true }],
    ["string", ["nullable"], { nullable: true }],
    ["string", ["kubebuilder:title=T"], { title: "T" }],
    ["string", ["kubebuilder:example=e"], { example: "e" }],
    ["string", ["kubebuilder:example=false"], { example: false }],
    ["string", ['kubebuilder:example=""'], { example: "" }],
    ["string", ["kubebuilder:example=null"], {}],
    [
      "string",
      ['kubebuilder:externalDocs:url="https://example.com",description="d"'],
      { externalDocs: { url: "https://example.com", description: "d" } },
    ],
    ["string", ["kubebuilder:default=a", 'default="b"'], { default: "a" }],
    ["string", ['default="b"'], { default: "b" }],
    ["string", ["default=ref(pkg.Const)"], {}],
    ["string[]", ["kubebuilder:default={}"], { default: [] }],
    ["Record<string, string>", ["kubebuilder:default={}"], { default: {} }],
    ["string[]", ["listType=set"], { "x-kubernetes-list-type": "set" }],
    [
      "{ a: string }[]",
      ["listMapKey=a", "listType=map", "listMapKey=a"],
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] },
    ],
    ["Record<string, string>", ["mapType=atomic"], { "x-kubernetes-map-type": "atomic" }],
    ["{ a: string }", ["structType=atomic"], { "x-kubernetes-map-type": "atomic" }],
    [
      "string[]",
      [`${v}items:MinLength=1`, `${v}items:Pattern=a`],
      { items: { type: "string", minLength: 1, pattern: "a" } },
    ],
    ["string[]", ["k8s:maxItems=2 # why", "k8s:listType=atomic"], { maxItems: 2, "x-kubernetes-list-type": "atomic" }],
    ["Int32", ["k8s:minimum=1", "k8s:maximum=2"], { minimum: 1, maximum: 2 }],
    ["string", ["k8s:required"], { minLength: 1 }],
    ["string", ["k8s:required", `${v}MinLength=0`], { minLength: 0 }],
    ["string[]", ["k8s:required"], { minItems: 1 }],
    ["LocalObjectReference", ["k8s:required"], { minProperties: 1 }],
    [
      "string",
      [`${v}XValidation:rule="self != ''",message="m",reason="FieldValueInvalid",fieldPath=".a",optionalOldSelf=true`],
      {
        "x-kubernetes-validations": [
          { rule: "self != ''", message: "m", reason: "FieldValueInvalid", fieldPath: ".a", optionalOldSelf: true },
        ],
      },
    ],
  ])("set the schema: %s %j", async (type, markers, expected) => {
    const { value, messages } = await apply(type, ...markers);
    expect(messages).toEqual([]);
    expect(value).toMatchObject(expected);
  });

  it("set no minimum with k8s:required on numbers and times", async () => {
    expect((await apply("Int32", "k8s:required")).value).toEqual({ type: "integer", format: "int32" });
    expect((await apply("Quantity", "k8s:required")).value).not.toHaveProperty("minProperties");
  });

  it("add a rule to the field with k8s:immutable, and to the parent of an optional field", async () => {
    const { spec } = await specOf(
      "export interface Spec {\n  // +k8s:immutable\n  a?: string;\n  // +k8s:immutable\n  b: string;\n}",
    );
    const rule = [{ rule: "self == oldSelf", message: "field is immutable" }];
    expect(spec.properties?.a?.["x-kubernetes-validations"]).toEqual(rule);
    expect(spec.properties?.b?.["x-kubernetes-validations"]).toEqual(rule);
    expect(spec["x-kubernetes-validations"]).toEqual([
      { rule: "!has(oldSelf.a) || has(self.a)", message: "field a is immutable once set" },
    ]);
  });

  it.each([
    ["string", `${v}Minimum=1`, "must apply minimum to a numeric value, found string"],
    ["Int32", `${v}Maximum=1.5`, "cannot apply non-integral maximum validation (1.5) to integer value"],
    ["Int32", `${v}MaxLength=1`, 'must apply maxlength to a textual value, found type "integer"'],
    ["Quantity", `${v}Pattern=a`, 'must apply pattern to a textual value, found type ""'],
    ["string", `${v}MinItems=1`, "must apply minitems to an array"],
    ["LocalObjectReference", `${v}MinProperties=1`, "must apply minproperties to an object"],
    ["string", `${v}items:MinLength=1`, "to an array value, found string"],
    ["string", "listType=set", "must apply listType to an array, found string"],
    ["string[]", "listType=bag", 'ListType must be either "map", "set" or "atomic"'],
    ["string[]", "listType=sett", ', not "sett": did you mean "set"?'],
    ["Record<string, string>", "mapType=atomc", ', not "atomc": did you mean "atomic"?'],
    ["string", `${v}XValidation:rule="true",reason=FieldValueForbiden`, 'did you mean "FieldValueForbidden"?'],
    ["string[]", "listMapKey=a", "must apply listMapKey to an associative-list"],
    ["string", "mapType=atomic", "must apply mapType to an object"],
    ["string", "structType=atomic", "must apply structType to an object"],
    ["string", "kubebuilder:title=5", "expected string, got int"],
    ["string", 'kubebuilder:externalDocs:url="no url"', "invalid url"],
    ["string", `${v}XValidation:rule="true",reason=Nope`, "invalid reason Nope"],
    ["string", "k8s:enum", "k8s:enum must be set on a type, not a field"],
  ])("are rejected: %s with %s", async (type, marker, message) => {
    const { messages, places } = await apply(type, marker);
    expect(messages).toEqual([expect.stringContaining(message)]);
    expect(places).toEqual([`api/v1/thing.ts:${linesAbove + 1}:6 error marker-not-applicable`]);
  });
});

describe("the required list", () => {
  it.each([
    ["a", "", true],
    ["a?", "", false],
    ["a", "+optional", false],
    ["a?", "+required", true],
    ["a?", "+k8s:required", true],
    ["a", "+kubebuilder:validation:Optional", false],
    ["a?", "+kubebuilder:validation:Required", true],
    ["a", "+kubebuilder:validation:Required\n// +kubebuilder:validation:Optional", false],
    ["a", "+optional\n// +kubebuilder:validation:Required", true],
    ["a", "+required\n// +optional", false],
  ])("contains the field %s with %s: %s", async (name, markers, required) => {
    const { spec } = await specOf(`export interface Spec {\n// ${markers}\n${name}: string }`);
    expect(spec.required ?? []).toEqual(required ? ["a"] : []);
  });

  it("doesn't contain fields by default if the package has the marker", async () => {
    const { spec } = await specOf("export interface Spec { a: string }\n\n// +kubebuilder:validation:Optional\n");
    expect(spec.required).toBeUndefined();
  });
});

describe("markers on types", () => {
  it("apply wherever the type is used, and fields can only restrict them", async () => {
    const { value } = await specOf(`
/** A name. */
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:XValidation:rule="b"
export type Name = string;
export interface Spec {
  // +kubebuilder:validation:MinLength=2
  // +kubebuilder:validation:XValidation:rule="a"
  value: Name;
}`);
    expect(value).toEqual({
      description: "A name.",
      type: "string",
      allOf: [{ minLength: 1 }, { minLength: 2 }],
      "x-kubernetes-validations": [{ rule: "a" }, { rule: "b" }],
    });
  });

  it("add one-of rules last, in a fixed order", async () => {
    const { value } = await specOf(`
// +kubebuilder:validation:AtLeastOneOf=a;b
// +kubebuilder:validation:ExactlyOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=a;b
// +kubebuilder:validation:XValidation:rule="x"
export interface T { a?: string; b?: string }
export interface Spec { value: T }`);
    expect(value["x-kubernetes-validations"]).toEqual([
      { rule: "x" },
      { rule: "(has(self.a)?1:0)+(has(self.b)?1:0) <= 1", message: "at most one of the fields in [a b] may be set" },
      { rule: "(has(self.a)?1:0)+(has(self.b)?1:0) == 1", message: "exactly one of the fields in [a b] must be set" },
      { rule: "has(self.a)||has(self.b)", message: "at least one of the fields in [a b] must be set" },
    ]);
  });

  it("reject nested names and required members in one-of", async () => {
    const { run } = await specOf(`
// +kubebuilder:validation:ExactlyOneOf=a;b.c
export interface T { a: string }
export interface Spec { value: T }`);
    expect(run.places).toEqual([
      `api/v1/thing.ts:${linesAbove + 1}:4 error marker-not-applicable`,
      `api/v1/thing.ts:${linesAbove + 2}:22 error one-of-required`,
    ]);
  });

  it("set the sorted members of the type with k8s:enum", async () => {
    const { value } = await specOf('// +k8s:enum\nexport type E = "b" | "a";\nexport interface Spec { value: E }');
    expect(value).toEqual({ type: "string", enum: ["a", "b"] });
    const { run } = await specOf("// +k8s:enum\nexport type E = string;\nexport interface Spec { value: E }");
    expect(run.diagnostics[0]?.message).toContain("no enum values found for type E");
  });
});

describe("the marker registry", () => {
  const without = new Set([
    // The marker sets the name of the webhook configuration.
    "kubebuilder:webhookconfiguration",
    // Requiring fields is the default.
    "kubebuilder:validation:Required",
    // Known for compatibility, without effect outside of Go.
    "kubebuilder:object:generate",
    "kubebuilder:ac:generate",
    "kubebuilder:ac:output:package",
    "k8s:deepcopy-gen",
    "k8s:deepcopy-gen:interfaces",
    // The generator of policies reads its arguments.
    "kubewright:policy",
  ]);
  const markers = markerRegistry.definitions.filter(({ target, name }) => target !== "option" && !without.has(name));
  it.each(markers)("has an effect for $name on a $target", (marker) => {
    const effects = [
      "schema",
      "requires",
      "isSchemaless",
      "crd",
      "skipsVersion",
      "declaresKind",
      "package",
      "rules",
      "webhook",
    ] as const;
    expect(effects.some((effect) => marker[effect] !== undefined)).toBe(true);
  });
});

describe("markers with an invalid value", () => {
  it.each([
    ["string", "kubebuilder:title=5", '+kubebuilder:title="The replicas"'],
    ["string", "kubebuilder:title", '+kubebuilder:title="The replicas"'],
    ["string", "kubebuilder:externalDocs:url=guide", "+kubebuilder:externalDocs:url="],
    ["{}", "structType", "+structType=atomic"],
    ["Record<string, string>", "mapType=whole", "+mapType=atomic"],
    ["string[]", "listType=bag", "+listType=set"],
  ])("have an example as a hint: on %s, %s", async (type, marker, example) => {
    const { run } = await specOf(`export interface Spec {\n  // +${marker}\n  value: ${type};\n}`);
    expect(run.diagnostics.map(({ hint }) => hint)).toEqual([expect.stringContaining(`for example: \`${example}`)]);
  });
});

describe("markers without a known type", () => {
  it.each([
    ["Names", `${v}items:MinLength=1`, "found array", "use it on the declaration of the list type"],
    ["Quantity", `${v}Pattern=a`, 'found type ""', "add +kubebuilder:validation:XIntOrString"],
    ["IntOrString", `${v}MaxLength=4`, 'found type ""', "add +kubebuilder:validation:XIntOrString"],
    ["Time", `${v}MinItems=4`, "to an array", "it belongs on a list"],
    ["unknown", `${v}Schemaless\n// +listType=set`, "found no type", "add +kubebuilder:validation:Type=array"],
    ["unknown", `${v}Schemaless\n// +${v}Minimum=1`, "found no type", "add +kubebuilder:validation:Type=number"],
  ])("have the missing marker or place as a hint: on %s, %s", async (type, marker, message, hint) => {
    const { run } = await specOf(`type Names = string[];\nexport interface Spec {\n// +${marker}\nvalue: ${type};\n}`);
    expect(run.diagnostics).toMatchObject([{ message: expect.stringContaining(message), hint }]);
  });
});
