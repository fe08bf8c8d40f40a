// Checks the content of the published packages: no unnecessary files, and entry points that every resolver of types
// finds.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import type { packedPackages } from "./packed-packages.ts";

/** The content of the packages by folder and file extension. */
const contents: Readonly<Record<string, { workspace: string; kinds: string[] }>> = {
  kubewright: {
    workspace: "",
    kinds: [
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "bin/*.js",
      "bin/*.json",
      "dist/*.cjs",
      "dist/*.gz",
      "dist/*.json",
      "dist/*.txt",
      "dist/cli/*.cjs",
      "dist/core-types/*.json",
      "dist/dashboard/*.css",
      "dist/dashboard/*.html",
      "dist/dashboard/*.js",
      "dist/dashboard/*.json",
      "dist/dashboard/*.svg",
      "dist/dashboard/*.txt",
      "package.json",
      "schemas/*.json",
    ],
  },
  "kubewright-runtime": {
    workspace: "packages/runtime",
    kinds: [
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "bin/*.js",
      "dist/*.js",
      "dist/*.json",
      "dist/*.ts",
      "dist/*.txt",
      "dist/api/*.js",
      "dist/api/*.ts",
      "dist/dev/*.js",
      "dist/dev/*.ts",
      "dist/envtest/*.js",
      "dist/envtest/*.ts",
      "dist/kstatus/*.js",
      "dist/kstatus/*.ts",
      "dist/managed-fields/*.js",
      "dist/managed-fields/*.ts",
      "dist/plan/*.js",
      "dist/plan/*.ts",
      "dist/metrics/*.js",
      "dist/metrics/*.ts",
      "dist/secrets/*.js",
      "dist/secrets/*.ts",
      "dist/simulation/*.js",
      "dist/simulation/*.ts",
      "dist/test-servers/*.txt",
      "dist/testing/*.js",
      "dist/testing/*.ts",
      "package.json",
    ],
  },
  "kubewright-apiserver": {
    workspace: "packages/apiserver",
    kinds: [
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "bin/*.js",
      "data/1.36/*.json",
      "data/1.37/*.json",
      "dist/*.js",
      "dist/*.json",
      "dist/*.ts",
      "dist/*.txt",
      "dist/process/*.js",
      "dist/process/*.ts",
      "package.json",
    ],
  },
  "create-kubewright": {
    workspace: "packages/create-kubewright",
    kinds: ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "bin/*.js", "package.json"],
  },
  "kubewright-cel": {
    workspace: "packages/cel",
    kinds: [
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "dist/*.js",
      "dist/*.json",
      "dist/*.ts",
      "dist/*.txt",
      ...["crd", "duration", "json", "language", "quantity", "rules", "schema", "validation", "yaml"].flatMap(
        (folder) => [`dist/${folder}/*.js`, `dist/${folder}/*.ts`],
      ),
      "package.json",
    ],
  },
};

/**
 * Defines the tests of what the packages contain.
 *
 * @param packed - the packages, which are packed before the tests
 */
export function testContents({ parent, filesOf }: ReturnType<typeof packedPackages>): void {
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const tarball = (name: string) => new Uint8Array(readFileSync(join(parent, `${name}-${version}.tgz`)));

  describe.each(Object.entries(contents))("the package %s", (name, { workspace, kinds }) => {
    const directory = join(checkout, workspace);

    it("contains only templates and these kinds of files", () => {
      const kindOf = (path: string): string => {
        const [first = "", second, ...rest] = path.split("/");
        if (second === undefined) return path;
        return [first, ...(rest.length > 0 ? [second] : []), `*${extname(path)}`].join("/");
      };
      const imported = new Set(
        filesOf(workspace)
          .filter((path) => !path.startsWith("templates/"))
          .map(kindOf),
      );
      expect([...imported].sort()).toEqual(kinds.toSorted());
    });

    it("contains the text of its license", () => {
      expect(readFileSync(join(directory, "LICENSE"), "utf8")).toMatch(/Apache License\n\s+Version 2\.0/);
    });

    it("contains no unused chunk", () => {
      const files = filesOf(workspace);
      const code = files.filter((path) => /\.(c?js|ts)$/.test(path) && !path.startsWith("templates/"));
      const pages = files.filter((path) => path.endsWith(".html"));
      const texts = new Map(
        ["package.json", ...code, ...pages].map((path) => [path, readFileSync(join(directory, path), "utf8")]),
      );
      const isNamed = (path: string): boolean => {
        // Declarations are imported by the name of the corresponding code file.
        const wanted = basename(path).replace(/\.d\.ts$/, ".js");
        return [...texts].some(([other, text]) => other !== path && text.includes(wanted));
      };
      // Entry points with a pattern name no files, and the command line finds its modules of the runtime by their paths.
      const isFoundByPath = (path: string): boolean => /^dist\/(api|simulation\/main\.|plan\/preload\.)/.test(path);
      const unnamed = code.filter((path) => !isFoundByPath(path) && !isNamed(path));
      expect(unnamed).toEqual([]);
    });

    it("passes publint", async () => {
      const { messages, pkg = {} } = await publint({ pack: { tarball: tarball(name).buffer }, strict: true });
      expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
    });
  });

  describe("the declarations of @kubewright/runtime", () => {
    it("contain no internal members", () => {
      const sources = join(checkout, "packages/runtime/src");
      const internal = readdirSync(sources, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .flatMap((path) => internalTypes(readFileSync(join(sources, path), "utf8")));
      expect(internal).toEqual(expect.arrayContaining(["ClusterHost", "InformerOptions", "WebhookServerParts"]));
      const pkg = createPackageFromTarballData(tarball("kubewright-runtime"));
      const declarations = pkg.listFiles().filter((path) => path.endsWith(".d.ts"));
      expect(declarations.length).toBeGreaterThan(20);
      const unreachable = declarations.filter((path) => {
        const text = pkg.readFile(path);
        return ["@internal", ...internal].some((word) => text.includes(word));
      });
      expect(unreachable).toEqual([]);
    });

    fullTest("compile without skipLibCheck", async () => {
      const entryPoints = ["index", "envtest/index", "metrics/index", "testing/index"];
      const files = entryPoints.map((name) => join(checkout, `packages/runtime/dist/${name}.d.ts`));
      const typeRoots = [join(checkout, "node_modules/@types")];
      const compilerOptions = {
        strict: true,
        module: "nodenext",
        target: "es2023",
        noEmit: true,
        types: ["node"],
        typeRoots,
      };
      writeFileSync(join(parent, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      await must(process.execPath, [join(checkout, "node_modules/typescript/bin/tsc"), "-p", parent], { cwd: parent });
    });
  });

  fullTest("the types of @kubewright/runtime are found by every resolver that reads ES modules", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarball("kubewright-runtime")), {
      excludeEntrypoints: [/^\.\/api\/(?!core\/v1$)./],
    });
    if (!analysis.types) throw new Error("no types were found");
    expect(Object.keys(analysis.entrypoints)).toEqual(
      expect.arrayContaining([".", "./api", "./envtest", "./metrics", "./testing"]),
    );
    // Node 20.19 can load ES modules with require, and only versions before Node 12 ignore `exports`.
    const problems = analysis.problems.filter(
      (problem) => !("resolutionKind" in problem && /^(node10|node16-cjs)$/.test(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });
}

/** Returns the names of internal types. The names of internal members can occur in other types. */
function internalTypes(source: string): string[] {
  return [...source.matchAll(/@internal\s+\*\/\s+export interface (\w+)/g)].map(([, name = ""]) => name);
}
