import { describe, expect, it } from "vitest";
import { acceptedRules } from "../../test-support/verdicts/refused.ts";
import { lintSpec, messagesOf } from "../test-support.ts";

const type = (marker: string) => `export interface Spec { value: T }
// +kubebuilder:validation:XValidation:${marker}
export interface T {
  min?: Int32;
  max?: Int32;
  // +kubebuilder:validation:MaxLength=50
  name?: string;
  // +kubebuilder:validation:MaxItems=5
  // +kubebuilder:validation:items:MaxLength=50
  tags?: string[];
  // +kubebuilder:validation:MaxItems=5
  items?: { id: string; on?: boolean }[];
  // +kubebuilder:validation:MaxProperties=5
  labels?: Record<string, string>;
  // +kubebuilder:validation:MaxProperties=5
  byName?: Record<string, { size: Int32 }>;
  port?: IntOrString;
  size?: Quantity;
  free?: JSONValue;
  raw?: RawExtension;
  empty?: {};
  namespace?: string;
  "x-y"?: string;
  "a.b/c"?: string;
  a__b?: string;
  when?: Time;
  inner?: { deep?: { leaf?: string } };
}`;
const ruleOf = (rule: string, rest = "") => type(`rule=${JSON.stringify(rule)}${rest}`);
const ids = async (text: string) => (await lintSpec(text)).map((place) => place.split(" ")[1]);

describe("cel-syntax", () => {
  it.each([
    "self.min <",
    "self.min = 1",
    "(self.min",
    "self.min <= self.max)",
    "self.",
    "self.min &&& true",
    "if x",
    "",
    " ",
    "self.min < 1 self",
  ])("is reported for %s", async (rule) => {
    expect(await ids(ruleOf(rule))).toEqual(["cel-syntax"]);
  });

  it("is reported for message expressions", async () => {
    expect(await ids(ruleOf("true", ",messageExpression=\"'a' + \""))).toEqual(["cel-syntax"]);
  });
});

describe("equal rules of equal schemas", () => {
  const two = (limit: string) => `export interface Spec { a: A; b: B }
// +kubebuilder:validation:XValidation:rule="self.mim < 1"
export interface A {
  // +kubebuilder:validation:MaxLength=5
  min?: string;
}
// +kubebuilder:validation:XValidation:rule="self.mim < 1"
export interface B {
  // +kubebuilder:validation:MaxLength=${limit}
  min?: string;
}`;

  it.each(["5", "6"])("are reported at each rule (limit %s)", async (limit) => {
    expect(await lintSpec(two(limit))).toEqual(["2:45 cel-unknown-name", "7:45 cel-unknown-name"]);
  });

  it("have the costs of their own limits", async () => {
    const list = (
      name: string,
      limit: string,
    ) => `// +kubebuilder:validation:XValidation:rule="self.a.all(x, x.contains('abc'))"
export interface ${name} {
  // +kubebuilder:validation:MaxItems=${limit}
  a?: string[];
}`;
    const text = `export interface Spec { a: A; b: B }\n${list("A", "5")}\n${list("B", "1000")}`;
    expect(await lintSpec(text)).toEqual([expect.stringMatching(/^7:\d+ cel-cost$/)]);
  });
});

describe("cel-unknown-name", () => {
  it.each([
    "self.mim < 1",
    "has(self.nope)",
    "!has(self.mn) || self.min < self.max",
    "self.items.all(i, i.idd != '')",
    "self.items.exists(i, i.on && i.of)",
    "self.items[0].nme == ''",
    "self.items.filter(i, i.on).all(i, i.name == '')",
    "self.byName.all(k, self.byName[k].siz > 1)",
    "self.byName.x.siz > 1",
    "self.inner.deep.leef == ''",
    "sefl.min < 1",
    "self.min < minimum",
    "oldSelf.mim == self.min",
    "self.min > 0 ? has(self.mac) : true",
    "self.items.map(i, i.idd).size() > 0",
    "self.free.anything.goes == 1",
    "self.raw.anything == 1",
    "self.empty.anything == 1",
    "[self.mim, 1].size() > 0",
    "{'a': self.mim}.size() > 0",
  ])("is reported for %s", async (rule) => {
    expect(await ids(ruleOf(rule))).toEqual(["cel-unknown-name"]);
  });

  it("is reported at the rule", async () => {
    expect(await lintSpec(ruleOf("self.mim < 1"))).toEqual(["2:45 cel-unknown-name"]);
  });

  it("is reported for a rule on a single field", async () => {
    const text =
      'export interface Spec {\n  // +kubebuilder:validation:XValidation:rule="self.siz > 1"\n  value: { size: Int32 };\n}';
    expect(await lintSpec(text)).toEqual(["2:47 cel-unknown-name"]);
  });
});

describe("cel-type", () => {
  it.each([
    "self.min == 'a'",
    "self.min",
    "self.name.startsWith(1)",
    "self.tags.sum() == ''",
    "self.name.matches('(')",
    "int('x') == 1",
    "self.items.all(i, i.id > 1)",
    "[1, 'a'].size() > 0",
  ])("is reported for %s", async (rule) => {
    expect(await ids(ruleOf(rule))).toEqual(["cel-type"]);
  });

  it("is reported for message expressions, whose problems don't hide those of the rule", async () => {
    expect(await ids(ruleOf("self.min", ",messageExpression=self.max"))).toEqual(["cel-type", "cel-type"]);
  });

  it("is reported for values without a type", async () => {
    expect(
      await ids("export interface Spec {\n  // +kubebuilder:validation:XValidation:rule=true\n  value: JSONValue;\n}"),
    ).toEqual(["cel-type"]);
  });

  it("contains the problem and its position", async () => {
    expect(await messagesOf(ruleOf("self.max > 1 && self.min == 'a'"))).toEqual([
      "the rule has a type error: found no matching overload for '_==_' applied to '(int, string)' after `max > 1 && self.min` (the API server rejects a CRD with this rule)",
    ]);
  });
});

describe("the messages of CEL findings", () => {
  it.each([
    ["self.min <", "the rule isn't a valid CEL expression: it ends unexpectedly after `self.min <`"],
    ["self.min <= self.max)", 'the rule isn\'t a valid CEL expression: ")" is unexpected after `self.min <= self.max`'],
    ["if x", 'the rule isn\'t a valid CEL expression: "if" is a reserved word'],
  ])("describe the syntax of %s", async (rule, message) => {
    expect(await messagesOf(ruleOf(rule))).toEqual([`${message} (the API server rejects a CRD with this rule)`]);
  });

  it.each([
    ["self.mim < 1", 'field "mim"', "did you mean `min`?"],
    ["self.tags.all(tag, tga == '')", 'variable "tga"', "did you mean `tag`?"],
    ["self.name.startWith('a')", 'function "startWith"', "did you mean `startsWith`?"],
    [
      "self.free == 1",
      'field "free"',
      "available: min, max, name, tags, items, labels, byName, port, size, raw, empty, __namespace__",
    ],
  ])("suggest a similar name in %s", async (rule, what, hint) => {
    expect(await messagesOf(ruleOf(rule))).toEqual([`the rule uses the unknown ${what} (${hint})`]);
  });
});

describe("rules that the API server accepts", () => {
  it.each(acceptedRules)("cause no diagnostic: %s", async (rule) => {
    expect(await ids(type(`rule=${JSON.stringify(rule)},message="m"`))).toEqual([]);
  });

  it("may use the functions of an optional oldSelf", async () => {
    expect(await ids(ruleOf("oldSelf.hasValue() ? oldSelf.value().min == 1 : true", ",optionalOldSelf=true"))).toEqual(
      [],
    );
    expect(await ids(ruleOf("oldSelf.orValue(self).min == 1", ",optionalOldSelf=true"))).toEqual([]);
  });

  it("may use the object's metadata and type", async () => {
    const { runCrds } = await import("../../test-support/project.ts");
    const text = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 10 && self.kind == 'A' && self.apiVersion != '' && self.metadata.generateName != ''"
export interface A extends KubernetesObject { spec?: { a?: string } }
`;
    expect((await runCrds({ "api/v1/a.ts": text }, { lint: true })).places).toEqual([]);
  });
});

describe("cel-cost", () => {
  const list = (rule: string, limits = "") =>
    `export interface Spec {\n${limits}  // +kubebuilder:validation:XValidation:rule="${rule}"\n  value: string[];\n}`;

  it("is reported above the API server's limit per rule", async () => {
    expect(await lintSpec(list("self.all(x, x.contains('abc'))"))).toEqual(["2:47 cel-cost"]);
    expect(await ids(list("self.all(x, x.contains('abc'))", "  // +kubebuilder:validation:MaxItems=10\n"))).toEqual([]);
    expect(await ids(list("self.all(x, x.size() > 1)"))).toEqual([]);
  });

  it("is the sum over all places of a type", async () => {
    const text = `export interface T {
  // +kubebuilder:validation:MaxItems=10
  // +kubebuilder:validation:XValidation:rule="self.all(x, x.matches('^[a-z]+$'))"
  list: string[];
}
export interface Spec { ${Array.from({ length: 20 }, (_, index) => `f${index}: T`).join("; ")} }`;
    expect(await lintSpec(text)).toEqual(["3:47 cel-cost"]);
    expect(await lintSpec(text.replace("; f4: T", ""))).toEqual(["3:47 cel-cost"]);
    expect(await lintSpec(text.replace(/; f[3-9]: T/g, ""))).toEqual([]);
  });

  it("includes the rules that the generator adds", async () => {
    const text = "export interface T {\n  // +k8s:immutable\n  value?: string;\n}\nexport interface Spec { list: T[] }";
    expect(await ids(text)).toContain("cel-cost");
  });
});

describe("cel-message and cel-old-self", () => {
  it.each([
    [',message="a\\nb"', "cel-message"],
    [',message="\\n"', "cel-message"],
    [",optionalOldSelf=true", "cel-old-self"],
  ])("are reported for %s", async (rest, id) => {
    expect(await ids(ruleOf("true", rest))).toEqual([id]);
  });
  it("require a message for a rule with line breaks", async () => {
    expect(await ids(ruleOf("self.min\n> 1"))).toEqual(["cel-message"]);
    expect(await ids(ruleOf("self.min\n> 1", ',message="m"'))).toEqual([]);
  });
});

describe("cel-field-path", () => {
  it.each([".mim", "min", ".items.id", ".items[0].id", ".inner.deep.left"])("is reported for %s", async (path) => {
    expect(await ids(ruleOf("true", `,fieldPath="${path}"`))).toEqual(["cel-field-path"]);
  });
  it.each([".min", ".inner.deep.leaf", ".labels.x", ".labels['a.b']", ".x-y"])(
    "isn't reported for %s",
    async (path) => {
      expect(await ids(ruleOf("true", `,fieldPath="${path}"`))).toEqual([]);
    },
  );
});
