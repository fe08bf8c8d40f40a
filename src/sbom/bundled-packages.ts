import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { licenseInReadme } from "./license-in-readme.ts";

/** The part of a package.json that a bill of materials reads. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
  readonly private?: unknown;
  readonly [key: string]: unknown;
}

/** A module that a bundler read. */
export interface BundledModule {
  /** Absolute path of its file. */
  readonly file: string;
  /** Whether the bundle contains some of its code. */
  readonly included: boolean;
  /** Absolute paths of the modules that it imports. */
  readonly imports: readonly string[];
}

/** A package with code in a bundle. */
export interface BundledPackage {
  readonly manifest: PackageManifest;
  /** Text of each license and notice file, by file name. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The packages in a bundle. */
export interface BundleContents {
  /** By `<name>@<version>`, sorted. */
  readonly packages: ReadonlyMap<string, BundledPackage>;
  /** The `<name>@<version>` of the packages that each package imports; `""` stands for the bundled project. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Included modules that belong to no package. */
  readonly unknown: readonly string[];
}

/** The key of the bundled project among the packages. */
export const own = "";
const licenseFile = /^(un)?licen[cs]e|^copying|^notice|^third[-_]?party/i;
const codeFile = /\.([cm]?[jt]sx?|json|map)$/i;

/**
 * Finds the packages whose code a bundle contains. Code of the bundled project itself doesn't count.
 *
 * @param root directory of the project's package.json.
 * @param modules all modules that the bundler read.
 */
export function bundledPackages(root: string, modules: readonly BundledModule[]): BundleContents {
  const find = finder(root);
  const included = modules.filter((module) => module.included);
  const packages = new Map<string, BundledPackage>();
  const unknown: string[] = [];
  for (const { file } of included) {
    const owner = find(dirname(file));
    if (owner === undefined) unknown.push(file);
    else if (owner.directory !== root) {
      const key = keyOf(owner.manifest);
      if (!packages.has(key))
        packages.set(key, { manifest: owner.manifest, texts: licenseTexts(owner.directory, owner.manifest) });
    }
  }
  const nodeOf = (file: string): string | undefined => {
    const owner = find(dirname(file));
    return owner === undefined || owner.directory === root ? own : keyOf(owner.manifest);
  };
  const imports = new Map<string, Set<string>>();
  for (const { file, imports: targets } of modules) {
    const from = nodeOf(file) ?? own;
    for (const to of targets.map(nodeOf)) {
      if (to === undefined || to === from || !packages.has(to) || (from !== own && !packages.has(from))) continue;
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  return { packages: new Map([...packages].sort(([a], [b]) => (a < b ? -1 : 1))), imports, unknown };
}

/** `<name>@<version>` */
export function keyOf({ name, version }: PackageManifest): string {
  return `${name}@${version}`;
}

interface Found {
  readonly directory: string;
  readonly manifest: PackageManifest;
}

/** Finds the package that a directory is part of: that of the nearest package.json with a name and a version. */
function finder(root: string): (directory: string) => Found | undefined {
  const byDirectory = new Map<string, Found | undefined>();
  return function find(directory: string): Found | undefined {
    if (byDirectory.has(directory)) return byDirectory.get(directory);
    const parent = dirname(directory);
    const owner: Found | undefined = readPackage(directory, root) ?? (parent === directory ? undefined : find(parent));
    byDirectory.set(directory, owner);
    return owner;
  };
}

function readPackage(directory: string, root: string): Found | undefined {
  const path = join(directory, "package.json");
  if (!existsSync(path)) return undefined;
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Partial<PackageManifest>;
  // Packages mark directories as modules of one format by a package.json without a name.
  const named = typeof manifest.name === "string" && typeof manifest.version === "string";
  return named || directory === root ? { directory, manifest: manifest as PackageManifest } : undefined;
}

function licenseTexts(directory: string, { license }: PackageManifest): Map<string, string> {
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenseFile.test(entry.name) && !codeFile.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const texts = new Map(names.map((name) => [name, readFileSync(join(directory, name), "utf8").trim()]));
  const readme = join(directory, "README.md");
  const inReadme =
    texts.size > 0 || !existsSync(readme) ? undefined : licenseInReadme(license, readFileSync(readme, "utf8"));
  return inReadme === undefined ? texts : texts.set("README.md, License", inReadme);
}
