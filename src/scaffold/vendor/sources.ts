import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { packCache } from "./pack-cache.ts";
import { packPackage } from "./pack-package.ts";
import { readManifest } from "./package-files.ts";

/** A project's references to our packages, and the files that they require. */
export interface PackageReferences {
  readonly kubewright: string;
  readonly runtime: string;
  /** The API server of unit tests. */
  readonly apiserver: string;
  readonly files: readonly { readonly path: string; readonly content: Promise<Uint8Array> }[];
}

/**
 * Determines the source of our packages for a new project: the registry if the running CLI is a published
 * release, otherwise tarballs in `vendor/`, so that no path leads out of the project.
 *
 * @param cliRoot the directory of the running kubewright package
 */
export function packageReferences(cliRoot: string): PackageReferences {
  const { version } = readManifest(cliRoot);
  const range = `^${version}`;
  if (isPublished(cliRoot)) return { kubewright: range, runtime: range, apiserver: range, files: [] };
  const libraries = ["runtime", "apiserver"].map((folder) => findPackage(cliRoot, folder));
  requireBuilt(cliRoot, "dist/cli/main.cjs");
  for (const directory of libraries) requireBuilt(directory, "dist/index.js");
  const packed = [cliRoot, ...libraries].map((directory) => packPackage(directory, packCache(cliRoot)));
  const [kubewright = "", runtime = "", apiserver = ""] = packed.map(({ file }) => `file:vendor/${file}`);
  return {
    kubewright,
    runtime,
    apiserver,
    files: packed.map(({ file, bytes }) => ({ path: `vendor/${file}`, content: bytes })),
  };
}

/** Whether this is a published release. The release process sets this in the build; all other builds are local. */
function isPublished(cliRoot: string): boolean {
  try {
    const info = JSON.parse(readFileSync(join(cliRoot, "dist/build-info.json"), "utf8")) as { published?: unknown };
    return info.published === true;
  } catch {
    return false;
  }
}

/** Returns the directory of a library: a workspace in a checkout, otherwise the installed package next to the CLI. */
function findPackage(cliRoot: string, folder: string): string {
  const name = `@kubewright/${folder}`;
  const candidates = [join(cliRoot, "packages", folder)];
  for (let directory = cliRoot; ; directory = dirname(directory)) {
    candidates.push(join(directory, "node_modules", name));
    if (dirname(directory) === directory) break;
  }
  const source = candidates.find(
    (directory) => existsSync(join(directory, "package.json")) && readManifest(directory).name === name,
  );
  if (source !== undefined) return source;
  throw new ProblemError(
    "runtime-missing",
    `${name} is required, but isn't installed with this unpublished kubewright`,
    `install the tarballs of all packages together: npm install kubewright-*.tgz`,
  );
}

function requireBuilt(directory: string, file: string): void {
  if (existsSync(join(directory, file))) return;
  throw new ProblemError(
    "not-built",
    `${join(directory, file)} is missing: this checkout is not built`,
    "run npm run build in it first",
  );
}
