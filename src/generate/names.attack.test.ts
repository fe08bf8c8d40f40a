import { describe, expect, it } from "vitest";
import { api, generateIn } from "./test-support/hostile.ts";
import { project } from "./test-support/project.ts";

describe("names of properties of Object.prototype in types", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];

  it("are ordinary names", async () => {
    const fields = names.map((name) => `  ${name}?: string;`).join("\n");
    const text = `export enum E { ${names.map((name) => `${name} = "${name}"`).join(", ")} }
export interface P { ${names.map((name) => `"${name}": "${name}";`).join(" ")} }
export interface Spec {\n${fields}\n  e?: E;\n  keys?: keyof P;\n  picked?: Pick<P, "__proto__">;\n  mapped?: { [K in "__proto__" | "constructor"]: string };
  // +kubebuilder:default={__proto__: {constructor: x}}\n  map?: { [key: string]: { [key: string]: string } };\n}`;
    const { ids, written } = await generateIn(project({ "api/v1/types.ts": api(text) }));
    expect(ids).toEqual([]);
    for (const name of names) expect(written).toMatch(new RegExp(`^ +${name}:\\n +type: string$`, "m"));
    expect(written).toMatch(/default:\n +__proto__:\n +constructor: x/);
    expect(written).toMatch(/- __proto__$/m);
  });
});
