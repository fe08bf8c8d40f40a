import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { localBundleOptions } from "../../tasks/bundle.ts";
import { conversionCode } from "./conversion-code.ts";

const files = {
  "src/main.ts":
    'import { spoke } from "../api/v2/widget-conversion.ts";\nimport { run } from "./controller.ts";\nrun(spoke);\n',
  "src/controller.ts": "export const run = (spoke: object) => console.log(spoke);\n",
  "api/v2/widget-conversion.ts":
    'import { name } from "../names.ts";\nimport a from "a";\nexport const spoke = { toHub: (obj: object) => ({ ...obj, [name]: a }) };\n',
  "api/names.ts": 'export const name = "nickname";\n',
  "node_modules/a/index.js": "export default 1;\n",
};

/** Bundles a project as `scaffold dev` does, with other texts of some files. */
async function codeOf(changes: Partial<typeof files> = {}): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "kubewright-conversion-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...files, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const project = { projectName: "shop" } as Parameters<typeof localBundleOptions>[0]["project"];
  const { outputFiles, metafile } = await build({
    ...localBundleOptions({ root, project }),
    ...{ write: false, metafile: true },
  });
  return conversionCode(outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "", metafile.inputs);
}

it("the code of conversions consists of converters and what they import from the project", async () => {
  const before = await codeOf();
  const changed = async (path: keyof typeof files) =>
    (await codeOf({ [path]: `${files[path]}console.log("changed");\n` })) !== before;
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  expect(await codeOf()).toBe(before);
  for (const path of ["src/main.ts", "src/controller.ts", "node_modules/a/index.js"] as const) {
    expect(await changed(path), path).toBe(false);
  }
  for (const path of ["api/v2/widget-conversion.ts", "api/names.ts"] as const) {
    expect(await changed(path), path).toBe(true);
  }
});

it("a bundle without converters has no code of conversions", async () => {
  expect(await codeOf({ "api/v2/widget-conversion.ts": "export const spoke = {};\n" })).toBe("");
});
