// Go modules of a release of Kubernetes that the repository doesn't have yet.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubernetesSources } from "./sources.ts";

/** Returns the minor version of a release, such as `1.38` of `v1.38.0-beta.0`. */
export function minorOf(release: string): string {
  return release.replace(/^v/, "").split(".").slice(0, 2).join(".");
}

/** Returns the version of the modules that Kubernetes publishes with a release, such as `v0.38.0-beta.0`. */
function stagingVersion(release: string): string {
  return release.replace(/^v1\./, "v0.");
}

/**
 * Writes the text of a go.mod for another release.
 *
 * @param text - the go.mod
 * @param release - the other release
 * @param newest - the release of the go.mod
 * @param staging - the names of the modules that Kubernetes publishes with the other release
 * @returns the text, with replacements of all these modules if there were any
 */
export function goModOf(text: string, release: string, newest: string, staging: readonly string[]): string {
  const moved = text
    .replaceAll(` ${newest}`, ` ${release}`)
    .replaceAll(` ${stagingVersion(newest)}`, ` ${stagingVersion(release)}`);
  const missing = staging.filter((name) => !moved.includes(`\tk8s.io/${name} => `));
  const replacements = missing.map((name) => `replace k8s.io/${name} => k8s.io/${name} ${stagingVersion(release)}\n`);
  return moved.includes(" => ") ? `${moved}\n${replacements.join("")}` : moved;
}

/**
 * Locks the modules of both programs at a release, in files such as `1.38.mod` beside `go.mod`.
 *
 * @param release - the release, such as `v1.38.0-beta.0`
 * @param newest - the release of `go.mod`
 * @returns the name of the files
 */
export function lockModules(release: string, newest: string): string {
  const goMod = readFileSync(join(kubernetesSources(release), "go.mod"), "utf8");
  const staging = [...goMod.matchAll(/^\tk8s\.io\/(\S+) v0\.0\.0$/gm)].map(([, name = ""]) => name);
  const name = minorOf(release);
  for (const directory of [".", "kubernetes"]) {
    const at = (file: string): string => join(import.meta.dirname, directory, file);
    writeFileSync(at(`${name}.mod`), goModOf(readFileSync(at("go.mod"), "utf8"), release, newest, staging));
    copyFileSync(at("go.sum"), at(`${name}.sum`));
    execFileSync("go", ["mod", "tidy", `-modfile=${name}.mod`], {
      cwd: at("."),
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return `${name}.mod`;
}
