// Which comment belongs to what: "Where markers and descriptions stand".
import { describe, expect, it } from "vitest";
import { markerRegistry } from "../markers/index.ts";
import { createReader } from "../source/reader.ts";
import { runCrds } from "../test-support/project.ts";
import { attachComments } from "./attach.ts";

async function attach(text: string, target: "type" | "field" | undefined = "type") {
  const file = (await createReader("auto")).parse("/a.ts", text);
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
  it("stand before its JSDoc, after it and in it, in source order", async () => {
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

  it("stay with the type although they are far away, if they are for types only", async () => {
    const text = `${imported}
// +kubebuilder:storageversion

// something

// else
interface A {}`;
    expect((await attach(text)).own).toEqual(["3:4 +kubebuilder:storageversion"]);
  });
});

describe("markers of the package", () => {
  it("that stand apart above a type are the package's", async () => {
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
    "+%s holds for the package even in a type's own comment",
    async (marker) => {
      const text = `${imported}/**\n * Doc.\n * +${marker}\n */\ninterface A {}`;
      expect(await attach(text)).toMatchObject({ own: [], package: [`4:4 +${marker}`] });
    },
  );

  it("are misplaced in a type's own comment otherwise", async () => {
    expect(await attach(`${imported}// +kubebuilder:skip\ninterface A {}`)).toMatchObject({
      own: ["2:4 +kubebuilder:skip"],
      package: [],
    });
  });

  it("in the first comment of a file that has no imports", async () => {
    const text = "// +groupName=a.b\n// +kubebuilder:object:generate=true\n\n/** Doc. */\ninterface A {}";
    expect(await attach(text)).toMatchObject({
      own: [],
      package: ["1:4 +groupName=a.b", "2:4 +kubebuilder:object:generate=true"],
      description: ["Doc."],
    });
  });

  it("a license at the top describes nothing", async () => {
    expect(await attach("/** Licensed. */\n\ninterface A {}")).toMatchObject({ description: undefined });
  });
});

describe("descriptions", () => {
  it.each([
    ["JSDoc wins over lines", "/** Doc. */\n// +optional\n// note", ["Doc."]],
    ["lines directly above", "// One.\n// Two.", ["One.", "Two."]],
    ["not lines that stand apart", "// One.\n", undefined],
    ["no block tags", "/**\n * One.\n * @deprecated two\n * three\n */", ["One."]],
    ["an @ within a line stays", "/** mail a@b.c {@link X} */", ["mail a@b.c {@link X}"]],
  ])("%s", async (_, comment, expected) => {
    expect(
      (await attach(`${imported}interface A {\n  x: string;\n${comment}\n  y: string;\n}`, "field")).description,
    ).toEqual(expected);
  });

  it("keep markers behind a block tag", async () => {
    const text = `${imported}/**\n * One.\n * @deprecated two\n * +kubebuilder:storageversion\n */\ninterface A {}`;
    expect((await attach(text)).own).toEqual(["5:4 +kubebuilder:storageversion"]);
  });

  it("of a field win over its type's", async () => {
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

describe("what is misplaced", () => {
  const place = async (text: string) => (await runCrds({ "api/v1/a.ts": text })).places;
  it.each([
    [
      "a type's marker above a constant",
      "import 'x';\n// +kubebuilder:storageversion\nexport const a = 1;",
      ["api/v1/a.ts:2:4 error misplaced-marker"],
    ],
    [
      "a type's marker that stands alone",
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
      "an unknown marker anywhere",
      "import 'x';\n// +kubebuilder:nope\nexport function f() {}",
      ["api/v1/a.ts:2:4 error unknown-marker"],
    ],
    [
      "nothing where a scaffold's anchor stands",
      "import 'x';\n// +kubebuilder:scaffold:imports\n\nexport function f() {}",
      [],
    ],
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
      "nothing where rbac stands on a property of a class",
      "export class A {\n  // +kubebuilder:rbac:groups=a,resources=b,verbs=get\n  a?: string;\n}",
      [],
    ],
    [
      "nothing where rbac stands on a method",
      "export class A {\n  // +kubebuilder:rbac:groups=a,resources=b,verbs=get\n  f() {}\n}",
      [],
    ],
  ])("%s", async (_, text, places) => {
    expect(await place(text)).toEqual(places);
  });
});
