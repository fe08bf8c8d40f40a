import { describe, expect, it } from "vitest";
import { generateApi, many } from "./test-support/hostile.ts";

describe("types that multiply over kinds", () => {
  it("many kinds of one large schema fill no memory", { timeout: 60_000 }, async () => {
    const large = `interface A0 { x: string }\n${many(14, (n) => `interface A${n + 1} { a: A${n}; b: A${n} }`)}
export interface Spec { v: A14 }\n${many(200, (n) => `export interface Kind${n} extends KubernetesObject { spec?: Spec }`)}`;
    const { diagnostics, seconds } = await generateApi(large);
    expect(diagnostics.find(({ id }) => id === "schema-too-large")?.message).toContain("this run has more than");
    expect(seconds).toBeLessThan(20);
  });
});
