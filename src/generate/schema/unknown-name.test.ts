// The hint for an undeclared name: its import, or a similar name.
import { describe, expect, it } from "vitest";
import { runCrds } from "../test-support/project.ts";

async function hintOf(imports: string, type: string, more: Readonly<Record<string, string>> = {}) {
  const text = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";
${imports}
interface Spec { value: ${type} }
export interface Thing extends KubernetesObject { spec: Spec }
`;
  const { diagnostics } = await runCrds({ "api/v1/thing.ts": text, ...more });
  expect(diagnostics.map(({ id }) => id)).toEqual(["unknown-type"]);
  return diagnostics[0]?.hint;
}

describe("the hint for a name that isn't imported", () => {
  it.each([
    ["Int32", 'add `import type { Int32 } from "@kubewright/runtime/api";`'],
    ["Condition", 'add `import type { Condition } from "@kubewright/runtime/api/meta/v1";`'],
    ["PodTemplateSpec", 'add `import type { PodTemplateSpec } from "@kubewright/runtime/api/core/v1";`'],
    ["Deployment", 'add `import type { Deployment } from "@kubewright/runtime/api/apps/v1";`'],
    ["MetricSpec", 'add `import type { MetricSpec } from "@kubewright/runtime/api/autoscaling/v2";`'],
    ["Int23", "did you mean Int32?"],
    ["Spek", "did you mean Spec?"],
    ["Elsewhere", "declare or import it"],
  ])("%s", async (type, hint) => {
    expect(await hintOf("", type)).toBe(hint);
  });

  it("an export of a file in the same directory", async () => {
    const more = { "api/v1/part.ts": "export interface Part { a: string }\n" };
    expect(await hintOf("", "Part", more)).toBe('add `import type { Part } from "./part.ts";`');
  });
});

describe("the hint for a wrong import", () => {
  const part = { "api/v1/part.ts": "export interface Part { a: string }\ninterface Hidden { a: string }\n" };
  it.each([
    ["a misspelled name", 'import type { Prt } from "./part.ts";', "Prt", "did you mean Part?"],
    ["an unknown name", 'import type { Other } from "./part.ts";', "Other", "it exports Part"],
    [
      "an unknown file",
      'import type { Part } from "./parts.ts";',
      "Part",
      'use a path relative to this file, with its extension, such as "../v1/game-types.ts"',
    ],
    [
      "a misspelled type of the API",
      'import type { PodSpek } from "@kubewright/runtime/api/core/v1";',
      "PodSpek",
      "did you mean PodSpec?",
    ],
    [
      "another version of the API",
      'import type { Condition } from "@kubewright/runtime/api/meta/v2";',
      "Condition",
      'add `import type { Condition } from "@kubewright/runtime/api/meta/v1";`',
    ],
    [
      "another group of the API",
      'import type { PodSpec } from "@kubewright/runtime/api/apps/v1";',
      "PodSpec",
      'add `import type { PodSpec } from "@kubewright/runtime/api/core/v1";`',
    ],
    [
      "an unknown group of the API",
      'import type { Thing } from "@kubewright/runtime/api/ap/v1";',
      "Thing",
      "did you mean @kubewright/runtime/api/apps/v1?",
    ],
  ])("%s", async (_, imports, type, hint) => {
    expect(await hintOf(imports.replace("Thing", "Foo"), type.replace("Thing", "Foo"), part)).toBe(hint);
  });
});
