import { defineConfig, type UserConfig } from "tsdown";
import { billOfMaterials } from "./scripts/bill-of-materials.ts";
import { compiledTemplates } from "./scripts/compile-templates.ts";
import { optionalProperties } from "./scripts/lib/optional-properties.ts";

/** The packages contain the doc comments once, in their declarations. */
const outputOptions = { comments: { jsdoc: false } };

/** Returns the settings of a package in `packages/`. */
const library = (name: string, entry: UserConfig["entry"], options: UserConfig = {}): UserConfig => ({
  name,
  // The package's own directory, so that the dependencies in its package.json stay external.
  cwd: `packages/${name}`,
  entry,
  tsconfig: "tsconfig.json",
  platform: "node",
  target: "node20.19",
  format: "esm",
  fixedExtension: false,
  dts: { oxc: true },
  outputOptions,
  // Bundled packages lose what isn't used only as ES modules.
  inputOptions: { resolve: { mainFields: ["module", "main"] } },
  plugins: [optionalProperties, billOfMaterials(`packages/${name}`)],
  // Without hashes, a shared chunk of declarations is also called index.d.ts, and overwrites the entry point.
  hash: true,
  logLevel: "warn",
  ...options,
});

export default defineConfig([
  library("runtime", [
    {
      index: "src/index.ts",
      "*": "src/*/index.ts",
      "envtest/setup": "src/envtest/setup/main.ts",
      "plan/preload": "src/plan/preload.ts",
      "simulation/main": "src/simulation/command/main.ts",
      "simulation/runner": "src/simulation/command/runner.ts",
    },
    // One entry point per group and version, such as `api/apps/v1`.
    { "api/*": ["src/api/*/*.ts", "!**/*.test.ts"] },
  ]),
  library("cel", { index: "src/index.ts", "*": "src/*/index.ts" }, { platform: "neutral", target: "es2023" }),
  library("apiserver", {
    index: "src/index.ts",
    main: "src/cli/main.ts",
    etcd: "src/cli/etcd.ts",
    "kube-apiserver": "src/cli/kube-apiserver.ts",
    "process/index": "src/process/index.ts",
  }),
  {
    name: "cli",
    entry: {
      "cli/main": "src/cli/main.ts",
      "cli/unchanged": "src/cli/unchanged.ts",
      "cli/version": "src/cli/framework/version.ts",
      sbom: "src/sbom/esbuild-plugin.ts",
    },
    platform: "node",
    target: "node20.19",
    // Node's loader of ES modules takes longer than a run without changes.
    format: "cjs",
    dts: false,
    hash: false,
    outputOptions: { ...outputOptions, dynamicImportInCjs: false },
    plugins: [compiledTemplates("templates"), billOfMaterials(".")],
    // Bundled dependencies have fixed versions: installing doesn't fetch others within loose ranges.
    deps: { neverBundle: ["ts-morph"], alwaysBundle: [/.*/] },
    logLevel: "warn",
  },
]);
