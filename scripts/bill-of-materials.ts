import { readFileSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { describeBundle } from "../src/sbom/documents.ts";

interface OutputFile {
  type: string;
  modules?: Record<string, { renderedLength: number }>;
}

interface BundlerContext {
  getModuleIds(): Iterable<string>;
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
  emitFile(file: { type: "asset"; fileName: string; source: string }): unknown;
}

const dashboard = join(import.meta.dirname, "../packages/dashboard") + sep;

/**
 * Returns the plugin of a bundler that writes the bill of materials and license texts for the code of bundled packages.
 *
 * @param directory - that of the bundled project's package.json
 */
export const billOfMaterials = (directory: string) => ({
  name: "bill-of-materials",
  generateBundle(this: BundlerContext, _options: unknown, bundle: Record<string, OutputFile>) {
    // A bundle of declarations contains no code.
    if (Object.keys(bundle).every((name) => name.endsWith(".d.ts"))) return;
    const files = Object.values(bundle).flatMap(({ modules = {} }) => Object.entries(modules));
    // The dashboard isn't published: it is part of the bundled project.
    const fileOf = (id: string): string =>
      id.startsWith(dashboard) ? join(resolve(directory), "dashboard", id.slice(dashboard.length)) : id;
    const included = new Set(files.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id));
    // The bundler's own modules have names that aren't paths.
    const modules = [...this.getModuleIds()].filter(isAbsolute).map((id) => {
      const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
      const imports = [...importedIds, ...dynamicallyImportedIds].filter(isAbsolute).map(fileOf);
      return { file: fileOf(id), included: included.has(id), imports };
    });
    const tool = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const { files: documents, warnings } = describeBundle(resolve(directory), modules, tool);
    if (warnings.length > 0) throw new Error(warnings.join("\n"));
    for (const [fileName, source] of documents) this.emitFile({ type: "asset", fileName, source });
  },
});
