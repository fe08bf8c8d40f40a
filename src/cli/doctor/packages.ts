import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliVersion, withoutHash } from "../framework/version.ts";
import { installedManifest } from "../models/installed-manifest.ts";
import { readManifest } from "../models/package-manifest.ts";
import type { Check } from "./check.ts";

/** The package manager of each lock file. */
const lockFiles = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
} as const;

/** Returns the package manager that the project's lock file belongs to. */
export function lockedManager(cwd: string): string | undefined {
  return Object.entries(lockFiles).find(([file]) => existsSync(join(cwd, file)))?.[1];
}

const names = ["kubewright", "@kubewright/runtime"] as const;

/** Checks that kubewright's packages are installed and have the same version, and that there is a lock file. */
export function checkPackages(cwd: string): Check[] {
  const installed = names.map((name) => ({ name, version: readManifest(installedManifest(cwd, name))?.version }));
  const install = "run npm install (or pnpm install, yarn install)";
  const checks = installed.map(
    ({ name, version }): Check =>
      version === undefined
        ? { id: "packages", status: "notice", message: `${name} is not installed`, hint: install }
        : { id: "packages", status: "ok", message: `${name} ${version}` },
  );
  return [...checks, ...checkVersions(installed), ...checkLock(cwd)];
}

function checkVersions(installed: readonly { readonly name: string; readonly version?: string }[]): Check[] {
  const [cli, runtime] = installed.map(({ version }) => (version === undefined ? undefined : withoutHash(version)));
  if (cli !== undefined && runtime !== undefined && cli !== runtime) {
    const newer = [cli, runtime].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
    return [
      {
        id: "versions",
        status: "notice",
        message: `kubewright ${cli} and @kubewright/runtime ${runtime} must have the same version`,
        hint: `npm install @kubewright/runtime@${newer} && npm install --save-dev kubewright@${newer}`,
      },
    ];
  }
  if (cli === undefined || cli === cliVersion()) return [];
  const message = `kubewright ${cliVersion()} is running, but the project has ${cli} installed`;
  return [{ id: "versions", status: "notice", message, hint: "use npx scaffold to run the project's version" }];
}

function checkLock(cwd: string): Check[] {
  if (lockedManager(cwd) !== undefined) return [];
  const message = "no lock file found: image builds and CI install the newest matching versions";
  return [
    { id: "lock-file", status: "notice", message, hint: "run npm install to create package-lock.json, and commit it" },
  ];
}
