// Tests @kubewright/cel as its users get it: installed from its tarball, in Node.js, and bundled for browsers.
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { installedPackage, output } from "./cel-package.ts";

const { home, bundle } = installedPackage();

it("validates an object by its CRD in three lines", async () => {
  const { stdout } = await must(process.execPath, ["main.mjs"], { cwd: home });
  expect(JSON.parse(stdout)).toEqual(output);
});

it("needs no module and no global of Node.js when it is bundled for browsers", async () => {
  const lines: string[] = [];
  const globals = { console: { log: (line: string) => lines.push(line) }, TextEncoder, TextDecoder };
  runInContext(await bundle(), createContext(globals));
  expect(lines.map((line) => JSON.parse(line))).toEqual([output]);
});

it.each(["crd", "duration", "json", "language", "quantity", "rules", "schema", "validation", "yaml"])(
  "its part %s can be bundled for browsers, too",
  async (part) => {
    const stdin = { contents: `import * as part from "@kubewright/cel/${part}"; console.log(part);`, resolveDir: home };
    const { warnings } = await build({ stdin, bundle: true, write: false, platform: "browser", logLevel: "silent" });
    expect(warnings).toEqual([]);
  },
);
