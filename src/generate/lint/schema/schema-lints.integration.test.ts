import { describe, expect, it } from "vitest";
import { specOf } from "../../test-support/project.ts";
import { lintField, lintSpec, messagesOf } from "../test-support.ts";

const v = "kubebuilder:validation:";

describe("bad-pattern", () => {
  it.each([
    "`^(?=a)b$`",
    "`a{1001}`",
    "`(a{100}){100}`",
    "`(a)\\1`",
    "`[a-\\d]`",
    "`a**`",
    "`(`",
    "`[z-a]`",
    "`\\Z`",
    "`a(?<!b)`",
  ])("is reported for %s", async (pattern) => {
    expect(await lintField("string", `${v}Pattern=${pattern}`)).toEqual(["bad-pattern"]);
  });

  it.each([
    "`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`",
    "`^(?P<name>\\w+)$`",
    "`^(?<name>\\w+)$`",
    "`(?i)^abc$`",
    "`^\\pL+[[:alpha:]]\\z`",
    "`^\\Qa.b\\E$`",
    "`^x{2,}?y{,3}$`",
    "`^$`",
    "`^[^:]+://\\S+:[0-9]{1,5}$`",
    "`^\\x{41}\\n\\t$`",
    "`日本`",
    "`^*a`",
  ])("isn't reported for %s", async (pattern) => {
    expect(await lintField("string", `${v}Pattern=${pattern}`)).toEqual([]);
  });

  it("is reported at the pattern, also on types and for items", async () => {
    expect(
      await lintSpec(`// +${v}Pattern="(?!a)"
export type Name = string;
export interface Spec {
  names: Name[];
  // +${v}items:Pattern="\\\\1"
  others: string[];
  more: Name;
}`),
    ).toEqual(["1:36 bad-pattern", "5:44 bad-pattern"]);
  });
});

describe("enum-type", () => {
  it.each([
    ["Int32", "Enum=a;b"],
    ["string", "Enum=1;2"],
    ["boolean", 'Enum="true"'],
    ["IntOrString", "XIntOrString\n// +kubebuilder:validation:Enum=true"],
  ])("is reported for %s %s", async (type, marker) => {
    expect(new Set(await lintField(type, v + marker))).toEqual(new Set(["enum-type"]));
  });

  it.each([
    ["Int32", "Enum=1;2"],
    ["string", 'Enum="1";a;""'],
    ["IntOrString", "XIntOrString\n// +kubebuilder:validation:Enum=1;auto"],
    ["JSONValue", "Enum=1;auto"],
    ["boolean", "Enum=true"],
  ])("isn't reported for %s %s", async (type, marker) => {
    expect(await lintField(type, v + marker)).toEqual([]);
  });

  it("has a hint to convert a number to a string", async () => {
    expect(await messagesOf(`export interface Spec {\n  // +${v}Enum=1\n  value: string;\n}`)).toEqual([
      'the enum value 1 is never valid: expected string, found integer 1 (quote it to make it a string, such as Enum="1")',
    ]);
  });
});

describe("enum-null", () => {
  it.each([
    ["a union", "value?: 'a' | 'b' | null"],
    ["numbers", "value?: 1 | 2 | null"],
    ["the elements of a list", "value?: ('a' | 'b' | null)[]"],
    ["the values of a map", "value?: Record<string, 'a' | 'b' | null>"],
    ["markers", `// +nullable\n  // +${v}Enum=a;b\n  value?: string`],
    ["a marker on a union", "// +nullable\n  value?: 'a' | 'b'"],
    ["a named type", "value?: Mode | null"],
    ["a named type with null", "value?: ModeOrNull"],
    ["two enumerations", `// +${v}Enum=a\n  value?: Marked | null`],
  ])("is reported for %s", async (_, field) => {
    const types = `type Mode = "a" | "b";
type ModeOrNull = Mode | null;
// +${v}Enum=a;b
type Marked = string;
`;
    const { run } = await specOf(`${types}export interface Spec {\n  ${field};\n}`, { lint: true });
    expect(run.diagnostics.map(({ id, severity }) => `${severity} ${id}`)).toEqual(["error enum-null"]);
  });

  it("isn't reported without null", async () => {
    expect(await lintField("'a' | 'b'")).toEqual([]);
    expect(await lintField("string | null")).toEqual([]);
  });
});

describe("enum-duplicate", () => {
  it("is reported once per value", async () => {
    expect(await lintField("string", `${v}Enum=a;b;a;a`)).toEqual(["enum-duplicate"]);
  });
  it("isn't reported for a number and its string", async () => {
    expect(await lintField("JSONValue", `${v}Enum=1;"1"`)).toEqual([]);
  });
});

describe("default-mismatch", () => {
  it.each([
    ["Int32", "kubebuilder:default=many"],
    ["string", "kubebuilder:default=5"],
    ["boolean", 'kubebuilder:default="true"'],
    ["string[]", "kubebuilder:default=a"],
    ["string[]", "kubebuilder:default={1}"],
    ["Record<string, Int32>", "kubebuilder:default={a: b}"],
    ["{ a: string }", "kubebuilder:default={b: c, a: d}"],
    ["{ a: string }", "kubebuilder:default={}"],
    ["{ a?: { b?: Int32 } }", "kubebuilder:default={a: {b: x}}"],
    ['"x" | "y"', "kubebuilder:default=z"],
    ["IntOrString", "kubebuilder:default=true"],
    ["string", 'default={"a":1}'],
    ["string", "default=null"],
    ["Time", "kubebuilder:default=soon"],
    ["Int32", "kubebuilder:default=3000000000"],
  ])("is reported for %s %s", async (type, marker) => {
    const diagnostics = await lintField(type, marker);
    expect(diagnostics).toEqual(marker === "default=null" ? [] : ["default-mismatch"]);
  });

  it.each(['["a"]', "[a]"])("has the form of a list as a hint for a JSON list: %s", async (value) => {
    const text = `export interface Spec {\n// +kubebuilder:default=${value}\nvalue?: string[] }`;
    expect(await messagesOf(text)).toEqual([expect.stringContaining("(write a list in braces, as in `{a, b}`)")]);
  });

  it.each([
    ["Int32", "Minimum=3", "2"],
    ["Int32", "Maximum=3", "4"],
    ["Int32", "Minimum=3\n// +kubebuilder:validation:ExclusiveMinimum=true", "3"],
    ["Int32", "MultipleOf=3", "4"],
    ["string", "MinLength=3", "ab"],
    ["string", "MaxLength=1", "äb"],
    ["string", "Pattern=`^a`", "b"],
    ["string", "Enum=a;b", "c"],
    ["string[]", "MinItems=2", "{a}"],
    ["string[]", "MaxItems=1", "{a,b}"],
    ["Record<string, string>", "MinProperties=2", "{a: b}"],
    ["string", "Format=date", '"2024-02-30"'],
    ["string", "Format=date-time", '"2024-02-28"'],
    ["string", "Format=duration", "1y"],
    ["string", "Format=byte", '"a b"'],
    ["string", "Format=cidr", '"10.0.0.0"'],
    ["string", "Format=uuid", '"123"'],
    ["string", "Format=email", "me"],
  ])("is reported for %s %s =%s", async (type, limit, value) => {
    expect(await lintField(type, v + limit, `kubebuilder:default=${value}`)).toEqual(["default-mismatch"]);
  });

  it.each([
    ["Int32", ["kubebuilder:default=5"]],
    ["Int64", ["kubebuilder:default=9223372036854775807"]],
    ["IntOrString", ['kubebuilder:default="25%"']],
    ["IntOrString", ["kubebuilder:default=5"]],
    ["Quantity", ["kubebuilder:default=100Mi"]],
    ["Quantity", ['kubebuilder:default="1"']],
    ["Duration", ["kubebuilder:default=5m"]],
    ["JSONValue", ["kubebuilder:default={a: {b: 1}}"]],
    ["RawExtension", ["kubebuilder:default={a: 1}"]],
    ["string | null", ["default=null"]],
    ["{ a?: string }", ["kubebuilder:default={}"]],
    ["string[]", ["kubebuilder:default={}"]],
    ["Record<string, string>", ["kubebuilder:default={a: b}"]],
    ["string", ["kubebuilder:default=``"]],
    ["string", [`${v}Pattern=\`^(?i)A\``, "kubebuilder:default=a"]],
    ["string", [`${v}MaxLength=1`, "kubebuilder:default=😀"]],
    ["{ a: string }", ["kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:default={a: b, c: d}"]],
    ["string", [`${v}Format=date-time`, 'kubebuilder:default="2020-01-01T00:00:00Z"']],
    ["string", [`${v}Format=duration`, 'kubebuilder:default="3 days"']],
    ["string", [`${v}Format=cidr`, 'kubebuilder:default="10.0.0.0/8"']],
    // The API server ignores formats that it doesn't know.
    ["string", [`${v}Format=color`, "kubebuilder:default=none"]],
  ])("isn't reported for %s %j", async (type, markers) => {
    expect(await lintField(type, ...markers)).toEqual([]);
  });

  it("isn't reported for missing fields that have a default", async () => {
    const text = `export interface Inner {\n  // +kubebuilder:default=1\n  a: Int32;\n}
export interface Spec {\n  // +kubebuilder:default={}\n  value: Inner;\n}`;
    expect(await lintSpec(text)).toEqual([]);
  });

  it("is reported at the value, with the path inside it", async () => {
    const text =
      "export interface Spec {\n  // +kubebuilder:default={list: {{n: 1}, {n: x}}}\n  value: { list: { n: Int32 }[] };\n}";
    expect(await lintSpec(text)).toEqual(["2:27 default-mismatch"]);
    expect((await messagesOf(text))[0]).toContain('at .list[1].n, expected integer, found string "x"');
  });
});

describe("unparsable-value", () => {
  it.each([
    ["Duration", "kubebuilder:default=5x"],
    ["Duration", 'kubebuilder:default="5"'],
    ["Duration", 'kubebuilder:default=""'],
    ["Duration", "kubebuilder:default=3000000h"],
    ["Duration", `${v}Enum=soon`],
    ["Quantity", `${v}Enum=100Mx`],
    ["Duration[]", "kubebuilder:default={5m,5x}"],
    ["Record<string, Duration>", "kubebuilder:default={a: 5x}"],
    ["{ a: Duration }", "kubebuilder:default={a: 5x}"],
  ])("is reported for %s %s", async (type, marker) => {
    expect(await lintField(type, marker)).toEqual(["unparsable-value"]);
  });

  it.each([
    ["Duration", "kubebuilder:default=1h30m"],
    ["Duration", 'kubebuilder:default="0"'],
    ["Duration", "kubebuilder:default=-1.5s"],
    ["Duration", `${v}Enum="30s";"5m"`],
    ["Quantity", `${v}Enum="500m";"2Gi"`],
    ["string", "kubebuilder:default=5x"],
  ])("isn't reported for %s %s", async (type, marker) => {
    expect(await lintField(type, marker)).toEqual([]);
  });

  it("is reported for an alias of the type, at the value", async () => {
    const text = `type Interval = Duration;\nexport interface Spec {\n  // +kubebuilder:default="5 minutes"\n  value: Interval;\n}`;
    expect(await lintSpec(text)).toEqual(["3:27 unparsable-value"]);
    expect(await messagesOf(text)).toEqual([
      'the default "5 minutes" is not a duration (write one such as `30s`, `5m` or `1h30m`)',
    ]);
  });
});

describe("example-mismatch", () => {
  it("is reported for an example that isn't valid", async () => {
    expect(await lintField("Int32", "kubebuilder:example=many")).toEqual(["example-mismatch"]);
    expect(await lintField("{ a: string }", "kubebuilder:example={b: c}")).toEqual([
      "example-mismatch",
      "example-mismatch",
    ]);
  });
  it("isn't reported for a valid example", async () => {
    expect(await lintField("Int32", "kubebuilder:example=5")).toEqual([]);
    expect(await lintField("{ a: string }", "kubebuilder:example={a: b}")).toEqual([]);
  });
});

describe("list-type and list-map-key", () => {
  it.each([
    ["{ a: string }[]", ["listType=map", "listMapKey=b"], "list-map-key"],
    ["{ a?: string }[]", ["listType=map", "listMapKey=a"], "list-map-key"],
    ["{ a: string[] }[]", ["listType=map", "listMapKey=a"], "list-map-key"],
    ["{ a: string | null }[]", ["listType=map", "listMapKey=a"], "list-map-key"],
    ["{ a: string }[]", ["listType=map"], "list-type"],
    ["string[]", ["listType=map", "listMapKey=a"], "list-type"],
    ["{ a: string }[]", ["listType=set"], "list-type"],
    ["(string | null)[]", ["listType=set"], "list-type"],
    ["LocalObjectReference[]", ["k8s:listType=map", "k8s:listMapKey=nam"], "list-map-key"],
  ])("are reported for %s %j", async (type, markers, id) => {
    expect(await lintField(type, ...markers)).toEqual([id]);
  });

  it.each([
    ["{ a: string }[]", ["listType=map", "listMapKey=a"]],
    ["{ a: string; b: Int32 }[]", ["listType=map", "listMapKey=a", "listMapKey=b"]],
    ["LocalObjectReference[]", ["listType=map", "listMapKey=name"]],
    ["{ a?: string }[]", ["listType=atomic"]],
    ["string[]", ["listType=set"]],
    ["string[][]", ["listType=set"]],
  ])("aren't reported for %s %j", async (type, markers) => {
    expect(await lintField(type, ...markers)).toEqual([]);
  });

  it("aren't reported for an optional key with a default", async () => {
    const text = `export interface Port {\n  // +kubebuilder:default=TCP\n  protocol?: string;\n}
export interface Spec {\n  // +listType=map\n  // +listMapKey=protocol\n  ports: Port[];\n}`;
    expect(await lintSpec(text)).toEqual([]);
  });

  it("are reported at the key", async () => {
    const text =
      "export interface Spec {\n  // +listType=map\n  // +listMapKey=a\n  // +listMapKey=nam\n  l: { a: string; name: string }[];\n}";
    expect(await lintSpec(text)).toEqual(["4:18 list-map-key"]);
  });
});

describe("limits-contradict", () => {
  it.each([
    ["Int32", ["Minimum=2", "Maximum=1"]],
    ["Int32", ["Minimum=1", "Maximum=1", "ExclusiveMaximum=true"]],
    ["string", ["MinLength=2", "MaxLength=1"]],
    ["string[]", ["MinItems=2", "MaxItems=1"]],
    ["Record<string, string>", ["MinProperties=2", "MaxProperties=1"]],
  ])("is reported for %s %j", async (type, markers) => {
    expect(await lintField(type, ...markers.map((marker) => v + marker))).toEqual(["limits-contradict"]);
  });

  it("is reported between a type and a field", async () => {
    const text = `// +${v}MaxLength=3\nexport type Name = string;\nexport interface Spec {\n  // +${v}MinLength=4\n  value: Name;\n}`;
    expect(await lintSpec(text)).toEqual(["4:40 limits-contradict"]);
  });

  it("isn't reported for limits that agree", async () => {
    expect(await lintField("Int32", `${v}Minimum=1`, `${v}Maximum=1`)).toEqual([]);
    expect(await lintField("string", `${v}MinLength=0`, `${v}MaxLength=0`)).toEqual([]);
  });
});

describe("negative-limit", () => {
  it.each([
    ["string", "MinLength", "minLength"],
    ["string", "MaxLength", "maxLength"],
    ["string[]", "MinItems", "minItems"],
    ["string[]", "MaxItems", "maxItems"],
    ["Record<string, string>", "MinProperties", "minProperties"],
    ["Record<string, string>", "MaxProperties", "maxProperties"],
  ])("is reported for %s %s", async (type, marker, key) => {
    expect(await lintField(type, `${v}${marker}=-1`)).toEqual(["negative-limit"]);
    expect(await lintField(type, `${v}${marker}=0`)).toEqual([]);
    expect(await messagesOf(`export interface Spec {\n  // +${v}${marker}=-1\n  value: ${type};\n}`)).toEqual([
      `${key} must not be negative: -1 (use 0 or more, or remove the marker)`,
    ]);
  });

  it("isn't reported for negative values of numbers", async () => {
    expect(await lintField("Int32", `${v}Minimum=-3`, `${v}Maximum=-1`)).toEqual([]);
  });
});

describe("limit-without-effect", () => {
  it("is reported for an exclusive limit without a limit", async () => {
    expect(await lintField("Int32", `${v}ExclusiveMinimum=true`)).toEqual(["limit-without-effect"]);
    expect(await lintField("Int32", `${v}ExclusiveMinimum=true`, `${v}Minimum=1`)).toEqual([]);
  });
  it("isn't reported for a limit of another type", async () => {
    const text = `// +${v}MinLength=3\nexport type Name = string;\nexport interface Spec {\n  value: Name;\n}`;
    expect(await lintSpec(text)).toEqual([]);
    expect(await lintField("Int32", `${v}XIntOrString`, `${v}Pattern=a`)).toEqual([]);
  });
});

describe("not-structural", () => {
  it.each([
    ["string", [`${v}Schemaless`]],
    ["string", [`${v}Type=Any`]],
    ["string", [`${v}Type=array`]],
    ["string[]", [`${v}UniqueItems=true`]],
    ["string", [`${v}XEmbeddedResource`]],
    ["{}", [`${v}EmbeddedResource`]],
    ["Record<string, string>", [`${v}EmbeddedResource`]],
    ["IntOrString", [`${v}XIntOrString`, "kubebuilder:pruning:PreserveUnknownFields"]],
    ["Time", ["structType=atomic"]],
  ])("is reported for %s %j", async (type, markers) => {
    expect(await lintField(type, ...markers)).toEqual(["not-structural"]);
  });

  it.each([
    ["string", [`${v}Schemaless`, "kubebuilder:pruning:PreserveUnknownFields"]],
    ["string", [`${v}Schemaless`, `${v}Type=object`]],
    ["JSONValue", []],
    ["RawExtension", [`${v}EmbeddedResource`]],
    ["{ a?: string }", [`${v}EmbeddedResource`]],
    ["string[]", [`${v}UniqueItems=false`]],
    ["IntOrString", []],
    ["Quantity", []],
    ['{ kind: "a"; a: string } | { kind: "b"; b: Int32 }', []],
  ])("isn't reported for %s %j", async (type, markers) => {
    expect(await lintField(type, ...markers)).toEqual([]);
  });

  it("is reported for a recursive type", async () => {
    const text = "export interface Node { child?: Node }\nexport interface Spec { value: Node }";
    expect(await lintSpec(text)).toEqual(["1:1 recursive-type", "1:25 not-structural"]);
  });
});

describe("one-of-field", () => {
  const type = (marker: string) =>
    `// +${v}${marker}\nexport interface T { alpha?: string; beta?: string }\nexport interface Spec { value: T }`;

  it.each(["ExactlyOneOf", "AtMostOneOf", "AtLeastOneOf"])("is reported for %s of an unknown field", async (marker) => {
    expect(await lintSpec(type(`${marker}=alpha;bet`))).toEqual([`1:${27 + marker.length + 2} one-of-field`]);
    expect(await lintSpec(type(`${marker}=alpha;beta`))).toEqual([]);
  });

  it("has a hint with the nearest field", async () => {
    expect(await messagesOf(type("ExactlyOneOf=alpha;bet"))).toEqual([
      'the one-of has an unknown field "bet" (did you mean `beta`?)',
    ]);
  });
});
