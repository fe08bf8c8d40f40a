// `npm run release:version`: moves the notes of .changeset/ to the changelogs, and sets the next version of the packages.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must, root } from "../lib/run.mjs";
import { changesets } from "./changesets.mjs";

/** @param {string} path */
const text = (path) => readFileSync(join(root, path), "utf8");
const version = () => JSON.parse(text("package.json")).version;

/**
 * Replaces the version after our name (`kubewright-v0.1.0`, `kubewright-0.1.0.tgz`), except in changelogs.
 *
 * @param {string} before
 * @param {string} after
 */
async function renameIn(before, after) {
  const named = new RegExp(`(kubewright(?:-runtime)?-v?)${before.replaceAll(".", "\\.")}\\b`, "g");
  const { stdout: tracked } = await must("git", ["ls-files", "-z"]);
  for (const path of tracked.split("\0").filter((name) => /\.(ya?ml|md|ts)$/.test(name))) {
    // The notes were removed before.
    if (path.endsWith("CHANGELOG.md") || !existsSync(join(root, path))) continue;
    const content = text(path);
    const renamed = content.replace(named, `$1${after}`);
    if (renamed !== content) writeFileSync(join(root, path), renamed);
  }
}

const before = version();
await must(process.execPath, [await changesets(), "version"], { show: true });
const after = version();
if (after === before) {
  process.stdout.write("There is nothing in .changeset/: the version stays.\n");
} else {
  const constant = "packages/runtime/src/transport/user-agent.ts";
  writeFileSync(join(root, constant), text(constant).replace(`"${before}"`, `"${after}"`));
  await renameIn(before, after);
  // The range also includes the unpublished versions of kubewright, which are prereleases.
  const create = "packages/create-kubewright/package.json";
  writeFileSync(join(root, create), text(create).replace(/("kubewright": ")[^"]*/, `$1^${after}-0`));
  await must("npm", ["install", "--package-lock-only", "--ignore-scripts"], { show: true });
}
