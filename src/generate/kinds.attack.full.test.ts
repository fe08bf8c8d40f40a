import { describe, expect, it } from "vitest";
import { generateIn, many } from "./test-support/hostile.ts";
import { project } from "./test-support/project.ts";

describe("generate with thousands of kinds", () => {
  it("creates 20,000 CRDs in bounded time", async () => {
    const head = '// +groupName=example.com\nimport type { KubernetesObject } from "@kubewright/runtime/api";\n';
    const kind = (index: number) => `export interface Kind${index} extends KubernetesObject { a?: string }`;
    const cwd = project({ "api/v1/types.ts": `${head}${many(20_000, kind)}\n` });
    const { ids, written, seconds } = await generateIn(cwd);
    expect(ids).toEqual([]);
    expect(written.match(/^kind: CustomResourceDefinition$/gm)).toHaveLength(20_000);
    expect(seconds).toBeLessThan(30);
  });
});
