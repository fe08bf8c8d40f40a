import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type BundleInputs, conversionCode } from "./conversion-code.ts";

const inputs: BundleInputs = {
  "src/main.ts": { imports: [{ path: "api/v2/widget-conversion.ts" }, { path: "src/controller.ts" }] },
  "src/controller.ts": { imports: [] },
  "api/v2/widget-conversion.ts": { imports: [{ path: "api/names.ts" }, { path: "node:crypto", external: true }] },
  "api/names.ts": { imports: [{ path: "api/v2/widget-conversion.ts" }, { path: "node_modules/a/index.js" }] },
  "node_modules/a/index.js": {},
};

function project(): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-conversion-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of ["src", "api/v2", "node_modules/a"]) mkdirSync(join(root, path), { recursive: true });
  for (const path of Object.keys(inputs)) writeFileSync(join(root, path), "export {};\n");
  writeFileSync(join(root, "api/v2/widget-conversion.ts"), "export const converter = { toHub: (obj) => obj };\n");
  return root;
}

it("the code of conversions consists of converters and what they import from the project", () => {
  const root = project();
  const changed = (path: string) => {
    const before = conversionCode(root, inputs);
    appendFileSync(join(root, path), "export const changed = true;\n");
    return conversionCode(root, inputs) !== before;
  };
  expect(conversionCode(root, inputs)).toMatch(/^[0-9a-f]{16}$/);
  expect(conversionCode(root, inputs)).toBe(conversionCode(root, inputs));
  expect(["src/main.ts", "src/controller.ts", "node_modules/a/index.js"].map(changed)).toEqual([false, false, false]);
  expect(["api/v2/widget-conversion.ts", "api/names.ts"].map(changed)).toEqual([true, true]);
});

it("a bundle without converters has no code of conversions, and a deleted file is left out", () => {
  const root = project();
  rmSync(join(root, "api/v2/widget-conversion.ts"));
  expect(conversionCode(root, inputs)).toBe("");
});
