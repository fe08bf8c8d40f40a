import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { packPackage } from "./pack-package.ts";
import { readManifest } from "./package-files.ts";

/** A project's references to the two packages, and the files that they require. */
export interface PackageReferences {
  readonly kubewright: string;
  readonly runtime: string;
  readonly files: readonly { readonly path: string; readonly content: Promise<Uint8Array> }[];
}

const runtimeName = "@kubewright/runtime";

/**
 * Determines the source of `kubewright` and the runtime for a new project: the registry if the running CLI is a published
 * release, otherwise tarballs in `vendor/`, so that no path leads out of the project.
 *
 * @param cliRoot the directory of the running kubewright package
 */
export function packageReferences(cliRoot: string): PackageReferences {
  const { version } = readManifest(cliRoot);
  if (isPublished(cliRoot)) return { kubewright: `^${version}`, runtime: `^${version}`, files: [] };
  const runtimeRoot = findRuntime(cliRoot);
  requireBuilt(cliRoot, "dist/cli/main.cjs");
  requireBuilt(runtimeRoot, "dist/index.js");
  const [cli, runtime] = [packPackage(cliRoot), packPackage(runtimeRoot)];
  return {
    kubewright: `file:vendor/${cli.file}`,
    runtime: `file:vendor/${runtime.file}`,
    files: [cli, runtime].map(({ file, bytes }) => ({ path: `vendor/${file}`, content: bytes })),
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

/** Returns the runtime's directory: a workspace in a checkout, otherwise the installed package next to the CLI. */
function findRuntime(cliRoot: string): string {
  const candidates = [join(cliRoot, "runtime")];
  for (let directory = cliRoot; ; directory = dirname(directory)) {
    candidates.push(join(directory, "node_modules", runtimeName));
    if (dirname(directory) === directory) break;
  }
  const found = candidates.find(
    (directory) => existsSync(join(directory, "package.json")) && readManifest(directory).name === runtimeName,
  );
  if (found !== undefined) return found;
  throw new ProblemError(
    "runtime-missing",
    `${runtimeName} is required, but isn't installed with this unpublished kubewright`,
    `install the tarballs of both packages together: npm install kubewright-*.tgz kubewright-runtime-*.tgz`,
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
