// What is said of a name that nobody declares: where it can be had from, or which one was likely meant.
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

describe("not imported", () => {
  it.each([
    ["Int32", 'write `import type { Int32 } from "@kubewright/runtime/api";`'],
    ["Condition", 'write `import type { Condition } from "@kubewright/runtime/api/meta/v1";`'],
    ["PodTemplateSpec", 'write `import type { PodTemplateSpec } from "@kubewright/runtime/api/core/v1";`'],
    ["Deployment", 'write `import type { Deployment } from "@kubewright/runtime/api/apps/v1";`'],
    ["MetricSpec", 'write `import type { MetricSpec } from "@kubewright/runtime/api/autoscaling/v2";`'],
    ["Int23", "did you mean Int32?"],
    ["Spek", "did you mean Spec?"],
    ["Elsewhere", "declare it, or import it"],
  ])("%s", async (type, hint) => {
    expect(await hintOf("", type)).toBe(hint);
  });

  it("what a file of the same directory exports", async () => {
    const more = { "api/v1/part.ts": "export interface Part { a: string }\n" };
    expect(await hintOf("", "Part", more)).toBe('write `import type { Part } from "./part.ts";`');
  });
});

describe("imported from where it isn't", () => {
  const part = { "api/v1/part.ts": "export interface Part { a: string }\ninterface Hidden { a: string }\n" };
  it.each([
    ["another name", 'import type { Prt } from "./part.ts";', "Prt", "did you mean Part?"],
    ["no such name", 'import type { Other } from "./part.ts";', "Other", "it exports Part"],
    [
      "no such file",
      'import type { Part } from "./parts.ts";',
      "Part",
      'write the path as seen from this file, with its ending, such as "../v1/game-types.ts"',
    ],
    ["the API", 'import type { PodSpek } from "@kubewright/runtime/api/core/v1";', "PodSpek", "did you mean PodSpec?"],
    [
      "another version of the API",
      'import type { Condition } from "@kubewright/runtime/api/meta/v2";',
      "Condition",
      'write `import type { Condition } from "@kubewright/runtime/api/meta/v1";`',
    ],
    [
      "another group of the API",
      'import type { PodSpec } from "@kubewright/runtime/api/apps/v1";',
      "PodSpec",
      'write `import type { PodSpec } from "@kubewright/runtime/api/core/v1";`',
    ],
    [
      "no group of the API",
      'import type { Thing } from "@kubewright/runtime/api/ap/v1";',
      "Thing",
      "did you mean @kubewright/runtime/api/apps/v1?",
    ],
  ])("%s", async (_, imports, type, hint) => {
    expect(await hintOf(imports.replace("Thing", "Foo"), type.replace("Thing", "Foo"), part)).toBe(hint);
  });
});
