// The placement of markers and comments: "Where markers and descriptions stand".
import { describe, expect, it } from "vitest";
import { markerRegistry } from "../markers/index.ts";
import { createReader } from "../source/ts-morph/reader.ts";
import { runCrds } from "../test-support/project.ts";
import { attachComments } from "./attach.ts";

async function attach(text: string, target: "type" | "field" | undefined = "type") {
  const file = createReader().parse("/a.ts", text);
  const declaration = file.declarations[0]!;
  const node = target === "field" && declaration.kind === "interface" ? declaration.members.at(-1)! : declaration;
  const first = target !== "field" && file.loose.length === 0;
  const { own, package: pkg, description } = attachComments(node.leading, node.at.line, target, markerRegistry, first);
  return {
    own: own.map((line) => `${line.line}:${line.column} ${line.text}`),
    package: pkg.map((line) => `${line.line}:${line.column} ${line.text}`),
    description: description?.map((line) => line.trim()).filter((line) => line !== ""),
  };
}
const imported = 'import "x";\n';

describe("markers of a type", () => {
  it("are read before its JSDoc, after it and in it, in source order", async () => {
    const text = `${imported}
// +kubebuilder:storageversion

/**
 * Doc.
 * +kubebuilder:subresource:status
 */
//+kubebuilder:unservedversion
interface A {}`;
    expect(await attach(text)).toEqual({
      own: [
        "3:4 +kubebuilder:storageversion",
        "7:4 +kubebuilder:subresource:status",
        "9:3 +kubebuilder:unservedversion",
      ],
      package: [],
      description: ["Doc.", "+kubebuilder:subresource:status"],
    });
  });

  it("are never read from plain block comments", async () => {
    expect(await attach(`${imported}/* +kubebuilder:storageversion */\ninterface A {}`)).toEqual({
      own: [],
      package: [],
      description: [],
    });
  });

  it("stay with the type across blank lines and comments if only types can have them", async () => {
    const text = `${imported}
// +kubebuilder:storageversion

// something

// else
interface A {}`;
    expect((await attach(text)).own).toEqual(["3:4 +kubebuilder:storageversion"]);
  });
});

describe("markers of the package", () => {
  it("include those above a type, separated by an empty line", async () => {
    const text = `${imported}
// +kubebuilder:skip

// +kubebuilder:storageversion

/** Doc. */
interface A {}`;
    expect(await attach(text)).toMatchObject({
      own: ["5:4 +kubebuilder:storageversion"],
      package: ["3:4 +kubebuilder:skip"],
    });
  });

  it.each(["kubebuilder:rbac:groups=a,resources=b,verbs=get", "groupName=a.b", "versionName=v1"])(
    "include +%s even in a type's own comment",
    async (marker) => {
      const text = `${imported}/**\n * Doc.\n * +${marker}\n */\ninterface A {}`;
      expect(await attach(text)).toMatchObject({ own: [], package: [`4:4 +${marker}`] });
    },
  );

  it("don't include those in a type's own comment, which are misplaced there", async () => {
    expect(await attach(`${imported}// +kubebuilder:skip\ninterface A {}`)).toMatchObject({
      own: ["2:4 +kubebuilder:skip"],
      package: [],
    });
  });

  it("include those in the first comment of a file without imports", async () => {
    const text = "// +groupName=a.b\n// +kubebuilder:object:generate=true\n\n/** Doc. */\ninterface A {}";
    expect(await attach(text)).toMatchObject({
      own: [],
      package: ["1:4 +groupName=a.b", "2:4 +kubebuilder:object:generate=true"],
      description: ["Doc."],
    });
  });

  it("don't make a license at the top a description", async () => {
    expect(await attach("/** Licensed. */\n\ninterface A {}")).toMatchObject({ description: undefined });
  });
});

describe("descriptions", () => {
  it.each([
    ["come from JSDoc before line comments", "/** Doc. */\n// +optional\n// note", ["Doc."]],
    ["come from lines directly above", "// One.\n// Two.", ["One.", "Two."]],
    ["don't come from lines above an empty line", "// One.\n", undefined],
    ["don't contain block tags", "/**\n * One.\n * @deprecated two\n * three\n */", ["One."]],
    ["keep an @ within a line", "/** mail a@b.c {@link X} */", ["mail a@b.c {@link X}"]],
  ])("%s", async (_, comment, expected) => {
    expect(
      (await attach(`${imported}interface A {\n  x: string;\n${comment}\n  y: string;\n}`, "field")).description,
    ).toEqual(expected);
  });

  it("don't hide markers after a block tag", async () => {
    const text = `${imported}/**\n * One.\n * @deprecated two\n * +kubebuilder:storageversion\n */\ninterface A {}`;
    expect((await attach(text)).own).toEqual(["5:4 +kubebuilder:storageversion"]);
  });

  it("of a field have priority over those of its type", async () => {
    const { crds } = await runCrds({
      "api/v1/a.ts": `// +groupName=a.b
import type { KubernetesObject } from "@kubewright/runtime/api";
/** Of the type. */
type T = string;
interface A extends KubernetesObject {
  /** Of the field. */
  x?: T;
  y?: T;
}`,
    });
    const { x, y } = crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
    expect([x?.description, y?.description]).toEqual(["Of the field.", "Of the type."]);
  });
});

describe("placement errors", () => {
  const place = async (text: string) => (await runCrds({ "api/v1/a.ts": text })).places;
  it.each([
    [
      "a type's marker above a constant",
      "import 'x';\n// +kubebuilder:storageversion\nexport const a = 1;",
      ["api/v1/a.ts:2:4 error misplaced-marker"],
    ],
    [
      "a type's marker without a declaration",
      "import 'x';\n\n// +kubebuilder:storageversion\n",
      ["api/v1/a.ts:3:4 error misplaced-marker"],
    ],
    [
      "a field's marker on a type",
      "import 'x';\n// +optional\nexport interface A {}",
      ["api/v1/a.ts:2:4 error misplaced-marker"],
    ],
    [
      "a type's marker on a field",
      "export interface A {\n  // +kubebuilder:storageversion\n  a: string;\n}",
      ["api/v1/a.ts:2:6 error misplaced-marker"],
    ],
    [
      "a package's marker in a type's own comment",
      "import 'x';\n// +kubebuilder:skip\nexport interface A {}",
      ["api/v1/a.ts:2:4 error misplaced-marker"],
    ],
    [
      "an unknown marker, in any place",
      "import 'x';\n// +kubebuilder:nope\nexport function f() {}",
      ["api/v1/a.ts:2:4 error unknown-marker"],
    ],
    ["no error for an anchor", "import 'x';\n// +kubebuilder:scaffold:imports\n\nexport function f() {}", []],
    ...["kubebuilder:rbac:groups=a,resources=b,verbs=get", "groupName=a.b", "versionName=v2"].flatMap(
      (marker): [string, string, string[]][] => [
        [
          `+${marker} above a field`,
          `import 'x';\n\nexport interface A {\n  // +${marker}\n  a: string;\n}`,
          ["api/v1/a.ts:4:6 error misplaced-marker"],
        ],
        [
          `+${marker} in the comment of a field, apart`,
          `import 'x';\n\nexport interface A {\n  // +${marker}\n\n  /** Doc. */\n  a: string;\n}`,
          ["api/v1/a.ts:4:6 error misplaced-marker"],
        ],
        [
          `+${marker} above a field of an object inside a type that nothing uses`,
          `export type A = Record<string, { b: {\n  // +${marker}\n  a: string }[] }>;`,
          ["api/v1/a.ts:2:6 error misplaced-marker"],
        ],
        [
          `+${marker} above a method of an interface`,
          `export interface A {\n  // +${marker}\n  f(): void;\n}`,
          ["api/v1/a.ts:2:6 error misplaced-marker"],
        ],
        [
          `+${marker} at the end of a type`,
          `export interface A {\n  a: string;\n  // +${marker}\n}`,
          ["api/v1/a.ts:3:6 error unread-marker"],
        ],
      ],
    ),
    [
      "a field's marker above a method",
      "export class A {\n  // +optional\n  f() {}\n}",
      ["api/v1/a.ts:2:6 error misplaced-marker"],
    ],
    [
      "no error for rbac on a property of a class",
      "export class A {\n  // +kubebuilder:rbac:groups=a,resources=b,verbs=get\n  a?: string;\n}",
      [],
    ],
    [
      "no error for rbac on a method",
      "export class A {\n  // +kubebuilder:rbac:groups=a,resources=b,verbs=get\n  f() {}\n}",
      [],
    ],
  ])("%s", async (_, text, places) => {
    expect(await place(text)).toEqual(places);
  });
});

describe("a comment that ends with more asterisks than one", () => {
  it.each([
    ["/** Doc. **/", ["Doc."]],
    ["/** Doc.\n ***/", ["Doc."]],
    ["/** Some **bold** text **/", ["Some **bold** text"]],
    ["/** Ends **bold***/", ["Ends **bold**"]],
  ])("has a description without them: %j", async (comment, description) => {
    expect((await attach(`${imported}\n${comment}\ninterface A {}`)).description).toEqual(description);
  });

  it("has markers without them", async () => {
    const text = `${imported}\n/** +kubebuilder:storageversion **/\ninterface A {}`;
    expect((await attach(text)).own).toEqual(["3:5 +kubebuilder:storageversion"]);
  });
});
