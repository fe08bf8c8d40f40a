import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { billOfMaterials } from "./esbuild-plugin.ts";

let root: string;
const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const install = (name: string, code: string): void => {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  write(`node_modules/${name}/index.js`, code);
  write(`node_modules/${name}/LICENSE`, `${name}'s text`);
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-plugin-")));
  write("package.json", '{ "name": "operator", "private": true }');
  install("used", 'export const used = "used"; export const shaken = "shaken";');
  install("shaken", 'export const shaken = "shaken";');
  write("node_modules/shaken/package.json", '{ "name": "shaken", "version": "1.0.0", "sideEffects": false }');
  write("src/main.ts", 'import { used } from "used"; import { shaken } from "shaken"; console.log(used);');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bundle = (directory = root, plugins: Plugin[] = []) =>
  build({
    absWorkingDir: directory,
    entryPoints: ["src/main.ts"],
    outfile: "dist/main.js",
    bundle: true,
    logLevel: "silent",
    plugins: [...plugins, billOfMaterials() as Plugin],
  });
const names = (): string[] =>
  JSON.parse(read("dist/sbom.cdx.json")).components.map((component: { name: string }) => component.name);

it("writes both documents next to the bundle, for packages with code in the bundle", async () => {
  expect((await bundle()).warnings).toEqual([]);
  expect(names()).toEqual(["used"]);
  expect(read("dist/THIRD-PARTY-LICENSES.txt")).toContain("used's text");
});

it("writes the same documents through a link to the project", async () => {
  await bundle();
  const [sbom, licenses] = [read("dist/sbom.cdx.json"), read("dist/THIRD-PARTY-LICENSES.txt")];
  const link = `${root}-link`;
  symlinkSync(root, link);
  try {
    rmSync(join(root, "dist"), { recursive: true });
    await bundle(link);
    expect([read("dist/sbom.cdx.json"), read("dist/THIRD-PARTY-LICENSES.txt")]).toEqual([sbom, licenses]);
  } finally {
    rmSync(link);
  }
});

it("warns of a package without a license text", async () => {
  rmSync(join(root, "node_modules/used/LICENSE"));
  const { warnings } = await bundle();
  expect(warnings.map(({ text, pluginName }) => [pluginName, text])).toEqual([
    ["bill-of-materials", "no license text found: used 1.0.0 (no license stated)"],
  ]);
});

it("ignores virtual modules of other plugins", async () => {
  write(
    "src/main.ts",
    'import { used } from "used"; import settings from "env:settings"; console.log(used, settings);',
  );
  const virtual: Plugin = {
    name: "env",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^env:/ }, ({ path }) => ({ path, namespace: "env" }));
      onLoad({ filter: /.*/, namespace: "env" }, () => ({ contents: "export default 1" }));
    },
  };
  expect((await bundle(root, [virtual])).warnings).toEqual([]);
  expect(names()).toEqual(["used"]);
});

it("writes nothing if the build fails", async () => {
  write("src/main.ts", 'import "missing";');
  await expect(bundle()).rejects.toThrow("missing");
  expect(() => read("dist/sbom.cdx.json")).toThrow("ENOENT");
});
