import { expect, test } from "vitest";
import { markerRegistry } from "./markers.ts";
import type { MarkerTarget } from "./model/definition.ts";
import { parseMarkerLine } from "./parse-line.ts";

const examine = (target: Exclude<MarkerTarget, "option">, text: string) =>
  parseMarkerLine({ text, file: "/api/types.ts", line: 7, column: 4 }, target, markerRegistry);
const only = (target: Exclude<MarkerTarget, "option">, text: string) => {
  const { marker, diagnostics } = examine(target, text);
  expect(marker).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  return diagnostics[0]!;
};

test.each([
  ["field", "+kubebuilder:validation:Minumum=5", "+kubebuilder:validation:Minimum"],
  ["field", "+kubebuilder:validation:optional", "+kubebuilder:validation:Optional"],
  ["field", "+kubebuilder:defualt=1", "+kubebuilder:default"],
  ["field", "+kubebuilder:nullable", "+nullable"],
  ["field", "+kubebuilder:validation:title=a", "+kubebuilder:title"],
  ["field", "+kubebuilder:validation:default=1", "+kubebuilder:default"],
  ["field", "+kubebuilder:Minimum=1", "+kubebuilder:validation:Minimum"],
  ["field", "+kubebuilder:validation:items:maxLength=3", "+kubebuilder:validation:items:MaxLength"],
  ["field", "+kubebuilder:validation:Schemaless x", "+kubebuilder:validation:Schemaless"],
  ["type", "+kubebuilder:printColumn:name=a,type=string,JSONPath=.a", "+kubebuilder:printcolumn"],
  ["type", "+kubebuilder:resourc:path=a", "+kubebuilder:resource"],
  ["package", "+kubebuilder:rbacs:groups=a,verbs=get", "+kubebuilder:rbac"],
  ["package", "+kubebuilder:rbac:groups:=core,verbs=get", "+kubebuilder:rbac:groups=core,verbs=get"],
  ["field", "+k8s:requird", "+k8s:required"],
  ["field", "+k8s:REQUIRED", "+k8s:required"],
  ["field", "+k8s:maxItms:=3", "+k8s:maxItems"],
  ["type", "+k8s:listtype=map", "+k8s:listType"],
] as const)("an unknown name is an error with a suggestion: %s %s", (target, text, suggestion) => {
  expect(only(target, text)).toMatchObject({
    id: "unknown-marker",
    severity: "error",
    message: expect.stringMatching(/^unknown marker "\+/),
    file: "/api/types.ts",
    line: 7,
    column: 4,
    hint: `did you mean \`${suggestion}\`?`,
  });
});

test("an unknown name without a similar one has no suggestion", () => {
  expect(only("field", "+kubebuilder:zzzzzzzzzzzz=bar").hint).toBeUndefined();
});

test.each([
  ["field", "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a", "a type"],
  ["field", "+versionName=v2", "the package"],
  ["type", "+nullable", "a field"],
  ["type", "+kubebuilder:validation:Optional", "the package or a field"],
  ["package", "+kubebuilder:resource:path=a", "a type"],
  ["type", "+k8s:maxItems=3", "a field"],
] as const)("a known marker in the wrong place has an error with the right place: %s %s", (target, text, place) => {
  const diagnostic = only(target, text);
  expect(diagnostic).toMatchObject({ id: "misplaced-marker", severity: "error" });
  expect(diagnostic.message).toContain(`it belongs on ${place}`);
});

test.each([
  ["field", "+ default=1", 5, "+default=1"],
  ["field", "+ listType = set", 5, "+listType=set"],
  ["field", "+kubebuilder:validation:Minimum = 5", 35, "+kubebuilder:validation:Minimum=5"],
  ["field", "+kubebuilder:default :=1", 24, "+kubebuilder:default:=1"],
  ["field", "+listMapKey\t=a", 15, "+listMapKey=a"],
] as const)("a space that hides a marker is an error: %s %j", (target, text, column, repaired) => {
  const diagnostic = only(target, text);
  expect(diagnostic).toMatchObject({ id: "blank-in-marker", severity: "error", column });
  expect(diagnostic.hint).toContain(`\`${repaired}\``);
});

test.each([
  ["field", "+optinal", "+optional"],
  ["field", "+requred", "+required"],
  ["field", "+ListType=map", "+listType"],
  ["field", "+optional explanation", "+optional"],
  ["package", "+groupname=a", "+groupName"],
  ["package", "+rbac:groups=a,verbs=get", "+kubebuilder:rbac:groups=a,verbs=get"],
] as const)("a near miss without a prefix is a warning: %s %s", (target, text, suggestion) => {
  const diagnostic = only(target, text);
  expect(diagnostic).toMatchObject({ id: "near-miss-marker", severity: "warning" });
  expect(diagnostic.hint).toBe(`did you mean \`${suggestion}\`?`);
});

test.each([
  ["field", "+k8s:format=k8s-long-name"],
  ["field", '+k8s:item(type: "A")=+k8s:required'],
  ["field", "+k8s:eachVal=+k8s:minimum=1"],
  ["field", "+k8s:minLength=1"],
  ["field", "+k8s:deepcopy-gen=false"],
  ["field", "+kubebuilder:object:generate=true"],
  ["field", "+operator-sdk:csv:customresourcedefinitions:type=spec"],
  ["field", "+patchStrategy=merge"],
  ["field", "+union"],
  ["field", "+"],
  ["field", "+1 for this"],
  ["type", "+genclient"],
  ["type", "+k8s:openapi-gen=true"],
  ["package", "+k8s:conversion-gen=example.com/x"],
  ["package", "+groupGoName=Apps"],
  ["package", "+build linux"],
  ["package", "+kubebuilder:scaffold:imports"],
] as const)("a marker of another tool is ignored: %s %s", (target, text) => {
  expect(examine(target, text)).toEqual({ diagnostics: [] });
});

test("an invalid argument is one error, at the offending character", () => {
  expect(only("field", "+kubebuilder:validation:MinLength=5x")).toMatchObject({
    id: "invalid-marker",
    severity: "error",
    message: '+kubebuilder:validation:MinLength: extra arguments provided: "x"',
    column: 4 + "+kubebuilder:validation:MinLength=5".length,
  });
  expect(only("type", "+kubebuilder:printcolumn:name=A,typ=string,JSONPath=.a")).toMatchObject({
    message: '+kubebuilder:printcolumn: unknown argument "typ"',
    column: 4 + "+kubebuilder:printcolumn:name=A,".length,
  });
});

test("a word that a space hides is dropped with a warning, as in controller-gen", () => {
  const { marker, diagnostics } = examine("field", "+kubebuilder:validation:Enum=Allow; Forbid ;Replace");
  expect(marker?.value).toEqual(["Allow", "", "Replace"]);
  expect(diagnostics).toEqual([
    expect.objectContaining({
      id: "lost-marker-value",
      severity: "warning",
      column: 4 + "+kubebuilder:validation:Enum=Allow; ".length,
    }),
  ]);
  expect(diagnostics[0]!.message).toContain('"Forbid" is lost');
});

test("a number that no schema can contain is an error", () => {
  expect(only("field", "+kubebuilder:validation:Minimum=NaN").id).toBe("invalid-marker");
  expect(only("field", "+kubebuilder:validation:Maximum=-inf").id).toBe("invalid-marker");
});

test("a number that overflows 32 bits causes a warning", () => {
  const { marker, diagnostics } = examine(
    "type",
    "+kubebuilder:printcolumn:name=A,type=integer,JSONPath=.a,priority=2147483648",
  );
  expect(marker?.value).toMatchObject({ priority: -2147483648 });
  expect(diagnostics).toMatchObject([{ id: "lost-marker-value" }]);
});

test("spaces before the marker shift its column", () => {
  expect(only("field", "  +kubebuilder:foo").column).toBe(6);
});

test.each([
  ["+kubebuilder:validation:Pattern='^a$'", "'^a$'", '`"^a$"`'],
  ["+kubebuilder:default='a b'", "'a b'", '`"a b"`'],
  ["+kubebuilder:validation:Enum='a';b", "'a'", '`"a"`'],
  ["+kubebuilder:validation:XValidation:rule=\"true\",message='no'", "'no'", '`"no"`'],
  ["+kubebuilder:default={'a': 1}", "'a'", '`"a"`'],
])("single quotes around a value are a warning, because they are a part of it: %s", (text, value, fixed) => {
  const { marker, diagnostics } = examine("field", text);
  expect(marker).toBeDefined();
  expect(diagnostics).toEqual([
    {
      id: "lost-marker-value",
      severity: "warning",
      message: expect.stringContaining(`the single quotes are a part of the value "${value}"`),
      file: "/api/types.ts",
      line: 7,
      column: 4 + text.indexOf(value),
      hint: `use double quotes: ${fixed}`,
    },
  ]);
});

test.each([
  "+kubebuilder:validation:XValidation:rule=\"true\",messageExpression='no'",
  "+kubebuilder:validation:XValidation:rule='a' in self || self == 'b'",
  "+kubebuilder:validation:Pattern=`'a'`",
  "+kubebuilder:default=it's",
])("single quotes in an expression, in other quotes or in the middle have no warning: %s", (text) => {
  expect(examine("field", text).diagnostics).toEqual([]);
});

test.each([
  ["package", "+kubebuilder:rbac=groups=a,verbs=get", "+kubebuilder:rbac:groups=a,verbs=get"],
  ["type", "+kubebuilder:selectablefield=.spec.a", "+kubebuilder:selectablefield:JSONPath=.spec.a"],
  ["type", "+kubebuilder:deprecatedversion=use v2", '+kubebuilder:deprecatedversion:warning="use v2"'],
  ["field", "+kubebuilder:validation:XValidation=self > 1", '+kubebuilder:validation:XValidation:rule="self > 1"'],
] as const)("a value in the place of named arguments has the right form as a hint: %s %s", (target, text, fixed) => {
  expect(only(target, text)).toMatchObject({
    id: "invalid-marker",
    message: expect.stringContaining('expected a colon and named arguments after the name, got "="'),
    column: 4 + text.indexOf("="),
    hint: `change it to \`${fixed}\``,
  });
});

test.each([
  ["package", "+kubebuilder:rbac groups=a,verbs=get", "+kubebuilder:rbac:groups=a,verbs=get"],
  ["field", "+kubebuilder:validation:Minimum 5", "+kubebuilder:validation:Minimum=5"],
  ["field", '+kubebuilder:validation:XValidation rule="a > 1"', '+kubebuilder:validation:XValidation:rule="a > 1"'],
] as const)("a space after the name is an error with the right separator: %s %s", (target, text, fixed) => {
  expect(only(target, text)).toMatchObject({
    id: "blank-in-marker",
    message: expect.stringContaining("isn't read as a marker because of the space after the name"),
    column: 4 + text.indexOf(" "),
    hint: `change it to \`${fixed}\``,
  });
});

test.each([
  ["package", "+kubebuilder:rbac:groups:a,resources=b,verbs=get", "+kubebuilder:rbac:groups=a,resources=b,verbs=get"],
  ["field", "+kubebuilder:validation:MaxLength:63", "+kubebuilder:validation:MaxLength=63"],
  ["field", "+kubebuilder:validation:Enum:a;b", "+kubebuilder:validation:Enum=a;b"],
  ["field", '+kubebuilder:validation:XValidation:"self > 1"', '+kubebuilder:validation:XValidation:rule="self > 1"'],
  ["field", "+k8s:maxItems:3", "+k8s:maxItems=3"],
] as const)("a colon in the place of `=` has the right separator as a hint: %s %s", (target, text, fixed) => {
  expect(only(target, text)).toMatchObject({ id: "unknown-marker", hint: `did you mean \`${fixed}\`?` });
});

test("an unknown name is shown without the colon of `:=`", () => {
  const { message } = only("field", "+kubebuilder:validation:Minumum:=5");
  expect(message).toBe('unknown marker "+kubebuilder:validation:Minumum"');
});

test("a known name with words after it is shown with the words", () => {
  const { message } = only("field", "+kubebuilder:validation:Schemaless x");
  expect(message).toBe('unknown marker "+kubebuilder:validation:Schemaless x"');
});

test.each([
  ["package", "+kubebuilder:rbac:group=apps,resources=a,verbs=get", "did you mean `groups`?"],
  [
    "package",
    "+kubebuilder:rbac:groups=apps,resources=a,verbs=get,list",
    "separate the values of an argument with semicolons: `verbs=get;list`",
  ],
  ["type", "+kubebuilder:resource:zzzzzzzz=a", "valid arguments: path, shortName, categories, singular, scope, kind"],
  [
    "field",
    "+kubebuilder:validation:Enum=a,b",
    "separate the values with semicolons, as in `+kubebuilder:validation:Enum=Allow;Forbid;Replace`",
  ],
  ["field", "+kubebuilder:validation:items:MaxLength=x", "for example: `+kubebuilder:validation:items:MaxLength=63`"],
  ["field", "+kubebuilder:validation:Pattern=`a", "for example: ``+kubebuilder:validation:Pattern=`^[a-z]+$` ``"],
  ["field", "+kubebuilder:validation:UniqueItems=yes", "for example: `+kubebuilder:validation:UniqueItems=true`"],
  ["field", "+default=abc", 'write a string in double quotes: `+default="abc"`'],
  ["field", "+default='abc'", 'write a string in double quotes: `+default="abc"`'],
  ["field", "+default={a: 1}", 'for example: `+default={"replicas": 1}`'],
  ["field", '+kubebuilder:validation:MinLength="1"', "write the number without quotes"],
  ["field", '+kubebuilder:validation:Minimum="1"', "write the number without quotes"],
  ["type", '+kubebuilder:printcolumn:name=a,type=b,JSONPath=c,priority="1"', "write the number without quotes"],
  ["package", "+kubebuilder:webhook:mutating=yes,path=/x", "use `mutating=true` or `mutating=false`"],
  [
    "package",
    "+kubebuilder:webhook:mutating=true",
    expect.stringContaining("for example: `+kubebuilder:webhook:path=/mutate"),
  ],
  [
    "package",
    "+kubebuilder:rbac:groups=apps;resources=a;verbs=get",
    "separate arguments with commas; semicolons separate the values of one argument",
  ],
  [
    "package",
    "+kubebuilder:rbac:groups=apps,resources=a,verbs=[get,list]",
    "separate the values of an argument with semicolons: `verbs=get;list`",
  ],
  [
    "package",
    "+kubebuilder:rbac:groups=apps,resources=a,verbs={get;list}",
    "separate values in braces with commas, or remove the braces",
  ],
  [
    "type",
    "+kubebuilder:printcolumn:name=a,type=b,JSONPath=c,description=a, b",
    'quote a value that contains a comma: `description="a, …"`',
  ],
  ["field", '+kubebuilder:default=["a","b"]', 'write a list in braces: `+kubebuilder:default={"a","b"}`'],
  ["package", '+kubebuilder:webhook:patch={"a":5}', "put the value in backquotes: ``patch=`{…}` ``"],
  [
    "field",
    '+kubebuilder:validation:Pattern="^\\d+$"',
    "use backquotes, in which a backslash needs no escape: `` `^\\d+$` ``",
  ],
  ["field", '+kubebuilder:validation:Pattern="^\\d`"', "double each backslash, as in `\\\\d`"],
  [
    "field",
    "+kubebuilder:validation:Pattern=^[a-z]{1,3}$",
    "quote the value: ``+kubebuilder:validation:Pattern=`^[a-z]{1,3}$` ``",
  ],
  ["field", "+optional:x=1", "remove the value: `+optional`"],
] as const)("an invalid value has a hint with valid ones: %s %s", (target, text, hint) => {
  expect(only(target, text)).toMatchObject({ id: "invalid-marker", hint });
});
