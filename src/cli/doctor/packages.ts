import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../yaml/json.ts";
import { installedManifest } from "../installed-manifest.ts";
import { cliVersion, withoutHash } from "../version.ts";
import type { Check } from "./check.ts";

interface Manifest {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

/** The content of a package.json; undefined if there is none that can be read. */
export function readManifest(path: string): Manifest | undefined {
  try {
    // A pipe of that name would be waited for.
    if (!statSync(path).isFile()) return undefined;
    return readJson(readFileSync(path, "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}

/** Whose lock file is whose. */
const lockFiles = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
} as const;

/** The package manager whose lock file the project has. */
export function lockedManager(cwd: string): string | undefined {
  return Object.entries(lockFiles).find(([file]) => existsSync(join(cwd, file)))?.[1];
}

const names = ["kubewright", "@kubewright/runtime"] as const;

/** Installed packages, by what package.json asks for; that they are of one version, and that their lock is there. */
export function checkPackages(cwd: string): Check[] {
  const found = names.map((name) => ({ name, version: readManifest(installedManifest(cwd, name))?.version }));
  const install = "npm install (or pnpm, yarn) gets what package.json asks for";
  const checks = found.map(
    ({ name, version }): Check =>
      version === undefined
        ? { id: "packages", status: "notice", message: `${name} is not installed`, hint: install }
        : { id: "packages", status: "ok", message: `${name} ${version}` },
  );
  return [...checks, ...checkVersions(found), ...checkLock(cwd)];
}

function checkVersions(found: readonly { readonly name: string; readonly version?: string }[]): Check[] {
  const [cli, runtime] = found.map(({ version }) => (version === undefined ? undefined : withoutHash(version)));
  if (cli !== undefined && runtime !== undefined && cli !== runtime) {
    const newer = [cli, runtime].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
    return [
      {
        id: "versions",
        status: "notice",
        message: `kubewright ${cli} and @kubewright/runtime ${runtime} are made for each other at one version only`,
        hint: `npm install @kubewright/runtime@${newer} && npm install --save-dev kubewright@${newer}`,
      },
    ];
  }
  if (cli === undefined || cli === cliVersion()) return [];
  const message = `kubewright ${cliVersion()} is running, and the project has ${cli}`;
  return [{ id: "versions", status: "notice", message, hint: "npx scaffold runs the project's own" }];
}

function checkLock(cwd: string): Check[] {
  if (lockedManager(cwd) !== undefined) return [];
  const message = "there is no lock file: images and CI install what is newest at the time";
  return [{ id: "lock-file", status: "notice", message, hint: "npm install writes package-lock.json; commit it" }];
}
