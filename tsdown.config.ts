import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";
import { billOfMaterials } from "./scripts/bill-of-materials.ts";
import { compiledTemplates } from "./scripts/compile-templates.ts";
import { admitUndefined } from "./scripts/lib/optional-properties.ts";

const api = "packages/runtime/src/api";
/** One entry point per group and version: `api/apps/v1`. */
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
  "dev/index": "dev/index.ts",
  "envtest/index": "envtest/index.ts",
  "metrics/index": "metrics/index.ts",
  "secrets/index": "secrets/index.ts",
  "simulation/index": "simulation/index.ts",
  "simulation/main": "simulation/command/main.ts",
  "simulation/runner": "simulation/command/runner.ts",
  "testing/index": "testing/index.ts",
  "envtest/setup": "envtest/setup/main.ts",
};
const runtimeEntries = Object.fromEntries(
  Object.entries(doors)
    .map(([name, file]) => [name, join("src", file)] as const)
    .filter(([, file]) => existsSync(join("packages/runtime", file))),
);

/**
 * Loads node:child_process on demand: Commander needs it only for subcommands that are separate programs, and loading it
 * takes longer than loading Commander.
 */
const lazyChildProcess = {
  name: "lazy-child-process",
  transform(code: string, id: string) {
    if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
    const eager = "const childProcess = require('node:child_process');";
    if (!code.includes(eager)) throw new Error("commander loads node:child_process in another way now");
    return code.replace(eager, "").replaceAll("childProcess.spawn(", "require('node:child_process').spawn(");
  },
};

const lazyRe2Id = "\0lazy-re2";
/**
 * Loads the library for RE2 on demand: few CEL rules have patterns that need it, and loading it takes longer than compiling
 * the rules.
 */
const lazyRe2 = {
  name: "lazy-re2",
  resolveId(source: string, importer: string | undefined) {
    if (importer === lazyRe2Id) return { id: source, external: true };
    return source === "re2js" && /packages[\\/]cel[\\/]src[\\/]/.test(importer ?? "") ? lazyRe2Id : undefined;
  },
  load(id: string) {
    if (id !== lazyRe2Id) return undefined;
    return 'export const RE2JS = { compile: (pattern) => require("./re2.cjs").RE2JS.compile(pattern) };';
  },
};

/**
 * Escapes all characters except ASCII: V8 keeps such sources in half of the memory.
 * This must be the last step, because printing the code again would undo it.
 */
const asciiOnly = {
  name: "ascii-only",
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string; fileName: string }>) {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk" && file.code && !file.fileName.endsWith(".d.ts"))
        file.code = file.code.replace(/[\u0080-\uffff]/g, escaped);
    }
  },
};

/** Leaves doc comments to the declarations: sources without them load faster. */
const withoutDocComments = { comments: { jsdoc: false } };

/** Makes the declarations valid for all compiler options. */
const optionalProperties = {
  name: "optional-properties",
  generateBundle: {
    order: "post" as const,
    handler(_options: unknown, bundle: Record<string, { type: string; code?: string }>) {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk" && file.code && name.endsWith(".d.ts")) file.code = admitUndefined(name, file.code);
      }
    },
  },
};

/** Modules that all commands need, in their own chunk. Otherwise other commands would load the generator. */
const sharedParts =
  /src\/(cli\/(framework\/(flags|problems)|models\/(core-kinds|nearest-project))|project\/problem(-error)?|scaffold\/(parts\/versions|files\/journal)|kubernetes\/\w+|text\/(byte-order|typescript)|diagnostics\/did-you-mean)\.ts$/;

/** The modules that `init`, `create api` and `create webhook` have in common. */
const scaffoldParts =
  /src\/(cli\/models\/project-work|scaffold\/(files\/(apply|lock|tree)|parts\/(boilerplate|dependency|package-json)|plan\/plan|templates\/templates|vendor\/sources)|project\/project-file)\.ts$/;

/**
 * Chunks with all of their imports, the first match wins: the modules of a run without changes, then those of other runs.
 */
const chunks = [
  { name: "start", test: /src\/cli\/run\.ts$/, priority: 5 },
  { name: "commander", test: /node_modules\/commander\//, priority: 3 },
  { name: "common", test: sharedParts, priority: 3 },
  { name: "values", test: /(src\/yaml\/values|packages\/cel\/src\/yaml\/\w+)\.ts$/, priority: 4 },
  { name: "json", test: /src\/(yaml\/(json|budget)|cli\/models\/package-manifest)\.ts$/, priority: 4 },
  {
    name: "shared",
    test: /src\/kubernetes\/(plural(-rules)?|type-name)\.ts$|packages\/apiserver\/src\/process\/\w+\.ts$/,
    priority: 4,
  },
  { name: "document", test: /src\/yaml\/document\.ts$/, priority: 3 },
  { name: "scaffold", test: scaffoldParts, priority: 2 },
  {
    name: "generate",
    test: /src\/(cli\/commands\/generate|generate\/(generate|schema\/model\/json-schema))\.ts$/,
    priority: 1,
  },
];

export default defineConfig([
  {
    name: "runtime",
    // The package's own directory, so that the dependencies in its package.json stay external.
    cwd: "packages/runtime",
    entry: { ...runtimeEntries, ...apiEntries },
    outDir: "dist",
    tsconfig: "tsconfig.json",
    platform: "node",
    target: "node20.19",
    format: "esm",
    fixedExtension: false,
    dts: { oxc: true },
    outputOptions: withoutDocComments,
    plugins: [optionalProperties, asciiOnly, billOfMaterials("packages/runtime")],
    // Without hashes, a shared chunk of declarations is also called index.d.ts, and overwrites the entry point.
    hash: true,
    logLevel: "warn",
  },
  {
    name: "cel",
    cwd: "packages/cel",
    entry: {
      index: "src/index.ts",
      ...Object.fromEntries(
        ["crd", "json", "language", "quantity", "rules", "schema", "validation", "yaml"].map((folder) => [
          `${folder}/index`,
          `src/${folder}/index.ts`,
        ]),
      ),
    },
    outDir: "dist",
    tsconfig: "tsconfig.json",
    platform: "neutral",
    target: "es2023",
    format: "esm",
    fixedExtension: false,
    dts: { oxc: true },
    outputOptions: withoutDocComments,
    plugins: [optionalProperties, asciiOnly, billOfMaterials("packages/cel")],
    hash: true,
    logLevel: "warn",
  },
  {
    name: "apiserver",
    cwd: "packages/apiserver",
    entry: {
      index: "src/index.ts",
      main: "src/cli/main.ts",
      etcd: "src/cli/etcd.ts",
      "kube-apiserver": "src/cli/kube-apiserver.ts",
      "process/index": "src/process/index.ts",
    },
    outDir: "dist",
    tsconfig: "tsconfig.json",
    platform: "node",
    target: "node20.19",
    format: "esm",
    fixedExtension: false,
    dts: { oxc: true },
    outputOptions: withoutDocComments,
    plugins: [optionalProperties, asciiOnly, billOfMaterials("packages/apiserver")],
    hash: true,
    // The command line loads faster with few files.
    deps: { alwaysBundle: ["commander"] },
    logLevel: "warn",
  },
  {
    name: "cli",
    entry: {
      "cli/main": "src/cli/main.ts",
      "cli/version": "src/cli/framework/version.ts",
      re2: "src/regex/re2.ts",
      sbom: "src/sbom/esbuild-plugin.ts",
    },
    outDir: "dist",
    platform: "node",
    target: "node20.19",
    // Node's ES module loader takes longer than the run. CommonJS doesn't need it.
    format: "cjs",
    dts: false,
    hash: false,
    // The dependencies of the command line are bundled, so that installing doesn't fetch packages with loose version ranges.
    // The compiler stays external. Loading a file takes a millisecond regardless of its size, so the
    // code for `generate` is in few files.
    outputOptions: { ...withoutDocComments, dynamicImportInCjs: false, codeSplitting: { groups: chunks } },
    plugins: [lazyChildProcess, lazyRe2, compiledTemplates("templates"), asciiOnly, billOfMaterials(".")],
    deps: { neverBundle: ["ts-morph"], alwaysBundle: [/.*/] },
    logLevel: "warn",
  },
]);
