import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { defineConfig } from "tsdown";
import { admitUndefined } from "./hack/lib/optional-properties.mjs";
import { describeBundle } from "./src/sbom/documents.ts";

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
  "metrics/index": "metrics/index.ts",
  "testing/index": "testing/index.ts",
  "envtest/setup": "envtest/setup/main.ts",
};
const runtimeEntries = Object.fromEntries(
  Object.entries(doors)
    .map(([name, file]) => [name, join("src", file)] as const)
    .filter(([, file]) => existsSync(join("runtime", file))),
);

/** Commander wants it for subcommands that are programs of their own, which ours are not: it costs more than commander. */
const lazyChildProcess = {
  name: "lazy-child-process",
  transform(code: string, id: string) {
    if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
    const eager = "const childProcess = require('node:child_process');";
    if (!code.includes(eager)) throw new Error("commander loads node:child_process in another way now");
    return code.replace(eager, "").replaceAll("childProcess.spawn(", "require('node:child_process').spawn(");
  },
};

/**
 * The chunk loader reads ASCII: text that is known to be takes half of the memory, and needs no decoding. It is the last thing
 * done to a chunk, since whatever prints it again prints the characters themselves.
 */
const asciiOnly = {
  name: "ascii-only",
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string }>) {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk" && file.code) file.code = file.code.replace(/[\u0080-\uffff]/g, escaped);
    }
  },
};

/** Declarations are for readers of all compiler options. */
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

interface OutputFile {
  type: string;
  modules?: Record<string, { renderedLength: number }>;
}

interface BundlerContext {
  getModuleIds(): Iterable<string>;
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
  emitFile(file: { type: "asset"; fileName: string; source: string }): unknown;
}

/** A package contains code of the packages that are bundled with it: it names them, and contains their license texts. */
const billOfMaterials = (directory: string) => ({
  name: "bill-of-materials",
  generateBundle(this: BundlerContext, _options: unknown, bundle: Record<string, OutputFile>) {
    // The bundle of declarations contains no code.
    if (Object.keys(bundle).every((name) => name.endsWith(".d.ts"))) return;
    const files = Object.values(bundle).flatMap(({ modules = {} }) => Object.entries(modules));
    const included = new Set(files.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id));
    // Modules that the bundler makes itself have names that aren't paths.
    const modules = [...this.getModuleIds()].filter(isAbsolute).map((id) => {
      const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
      const imports = [...importedIds, ...dynamicallyImportedIds].filter(isAbsolute);
      return { file: id, included: included.has(id), imports };
    });
    const tool = JSON.parse(readFileSync("package.json", "utf8"));
    const { files: documents, warnings } = describeBundle(resolve(directory), modules, tool);
    if (warnings.length > 0) throw new Error(warnings.join("\n"));
    for (const [fileName, source] of documents) this.emitFile({ type: "asset", fileName, source });
  },
});

/** What other commands want as well: without a place of its own they would load the generator for it. */
const sharedParts =
  /src\/(cli\/(flags|problems|core-kinds)|scaffold\/scaffold-error|generate\/(byte-order|schema\/plural)|diagnostics\/did-you-mean)\.ts$/;

/** Each with all that it imports, the earlier ones first: what an unchanged run loads, and what the others need besides. */
const togetherInGenerate = [
  { name: "start", test: /src\/cli\/run\.ts$/, priority: 4 },
  { name: "call-cache", test: /src\/cli\/commands\/generate\/call-cache\.ts$/, priority: 3 },
  { name: "commander", test: /node_modules\/commander\//, priority: 2 },
  { name: "common", test: sharedParts, priority: 2 },
  { name: "generate", test: /src\/(cli\/commands\/generate|generate\/make)\.ts$/, priority: 1 },
];

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
    plugins: [optionalProperties, billOfMaterials("runtime")],
    // Without hashes a shared chunk of declarations is called index.d.ts too, and takes the place of the entry's.
    hash: true,
    logLevel: "warn",
  },
  {
    name: "cli",
    entry: {
      launch: "src/launch/launch.ts",
      "cli/main": "src/cli/main.ts",
      "cli/version": "src/cli/version.ts",
      sbom: "src/sbom/esbuild-plugin.ts",
    },
    outDir: "dist",
    platform: "node",
    target: "node20.19",
    // The loader of ES modules costs more than the run: CommonJS needs none, and its compiled code can be kept (src/launch).
    format: "cjs",
    dts: false,
    hash: false,
    // What the command line needs is bundled, so that installing pulls nothing with loose ranges; the compiler and the
    // native parser stay outside.
    // A file that Node loads costs a millisecond whatever is in it: what one run of `generate` needs is in few.
    outputOptions: { dynamicImportInCjs: false, codeSplitting: { groups: togetherInGenerate } },
    plugins: [lazyChildProcess, asciiOnly, billOfMaterials(".")],
    deps: { neverBundle: ["ts-morph", "oxc-parser"], alwaysBundle: [/.*/] },
    logLevel: "warn",
  },
]);
