import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";

const api = "runtime/src/api";
/** One door per group and version: `api/apps/v1`. */
const apiEntries = Object.fromEntries(
  readdirSync(api, { withFileTypes: true })
    .filter((group) => group.isDirectory())
    .flatMap((group) =>
      readdirSync(join(api, group.name))
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => [`api/${group.name}/${file.slice(0, -3)}`, join("src/api", group.name, file)]),
    ),
);
const doors = {
  index: "index.ts",
  "api/index": "api/index.ts",
  "envtest/index": "envtest/index.ts",
  "testing/index": "testing/index.ts",
  "envtest/setup": "envtest/setup/main.ts",
};
const runtimeEntries = Object.fromEntries(
  Object.entries(doors)
    .map(([name, file]) => [name, join("src", file)] as const)
    .filter(([, file]) => existsSync(join("runtime", file))),
);

export default defineConfig([
  {
    name: "runtime",
    // The package's own directory: what its package.json depends on stays outside the bundle.
    cwd: "runtime",
    entry: { ...runtimeEntries, ...apiEntries },
    outDir: "dist",
    tsconfig: "tsconfig.json",
    platform: "node",
    target: "node20.19",
    format: "esm",
    fixedExtension: false,
    dts: { oxc: true },
    // Without hashes a shared chunk of declarations is called index.d.ts too, and takes the place of the entry's.
    hash: true,
    logLevel: "warn",
  },
  {
    name: "cli",
    entry: { "cli/main": "src/cli/main.ts", "cli/version": "src/cli/version.ts" },
    outDir: "dist",
    platform: "node",
    target: "node20.19",
    format: "esm",
    fixedExtension: false,
    dts: false,
    hash: false,
    // What the command line needs is bundled, so that installing pulls nothing with loose ranges; the compiler and the
    // native parser stay outside.
    deps: { neverBundle: ["ts-morph", "oxc-parser"], alwaysBundle: [/.*/] },
    logLevel: "warn",
  },
]);
