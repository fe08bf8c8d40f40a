import { describe, expect, it } from "vitest";
import { api, generateIn, readers } from "./test-support/hostile.ts";
import { project } from "./test-support/project.ts";

describe("names of properties of Object.prototype in types", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];

  it("are ordinary names with each reader", async () => {
    const fields = names.map((name) => `  ${name}?: string;`).join("\n");
    const text = `export enum E { ${names.map((name) => `${name} = "${name}"`).join(", ")} }
export interface P { ${names.map((name) => `"${name}": "${name}";`).join(" ")} }
export interface Spec {\n${fields}\n  e?: E;\n  keys?: keyof P;\n  picked?: Pick<P, "__proto__">;\n  mapped?: { [K in "__proto__" | "constructor"]: string };
  // +kubebuilder:default={__proto__: {constructor: x}}\n  map?: { [key: string]: { [key: string]: string } };\n}`;
    const runs = [];
    for (const reader of readers) runs.push(await generateIn(project({ "api/v1/types.ts": api(text) }), reader));
    const [first, second] = runs;
    expect(first?.ids).toEqual([]);
    expect(second?.written).toBe(first?.written);
    for (const name of names) expect(first?.written).toMatch(new RegExp(`^ +${name}:\\n +type: string$`, "m"));
    expect(first?.written).toMatch(/default:\n +__proto__:\n +constructor: x/);
    expect(first?.written).toMatch(/- __proto__$/m);
  });
});
