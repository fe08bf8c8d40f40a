import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BundledModule, bundledPackages, type PackageManifest } from "./bundled-packages.ts";
import { writeCycloneDx } from "./cyclonedx.ts";
import { joinLicenseTexts, withoutLicenseText } from "./license-texts.ts";

/** Scanners find bills of materials in images by the extension `.cdx.json`. */
export const sbomFile = "sbom.cdx.json";
export const licensesFile = "THIRD-PARTY-LICENSES.txt";

/** The documents that describe a bundle. */
export interface BundleDocuments {
  /** Content by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** One line per package or module with missing information. */
  readonly warnings: readonly string[];
}

/**
 * Writes the bill of materials and the license texts of a bundle.
 *
 * @param root directory of the bundled project's package.json.
 * @param modules all modules that the bundler read.
 * @param tool the package.json of the program that writes the documents.
 */
export function describeBundle(
  root: string,
  modules: readonly BundledModule[],
  tool: PackageManifest,
  env: NodeJS.ProcessEnv = process.env,
): BundleDocuments {
  const contents = bundledPackages(root, modules);
  const application = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Partial<PackageManifest>;
  return {
    files: new Map([
      [sbomFile, writeCycloneDx(contents, { application, tool }, env)],
      [licensesFile, joinLicenseTexts(contents.packages)],
    ]),
    warnings: [
      ...withoutLicenseText(contents.packages).map((name) => `no license text found: ${name}`),
      ...contents.unknown.map((file) => `no package.json found for a bundled module: ${file}`),
    ],
  };
}
