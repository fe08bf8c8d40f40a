// The licence texts of what the bundles contain, read from the packages that rolldown names in its region comments.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const region = /^\/\/#region (?:\.\.\/)*((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

function bundledPackages(directory) {
  const found = new Set();
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".cjs")) continue;
    const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8");
    for (const match of text.matchAll(region)) found.add(match[1]);
  }
  return [...found].sort();
}

/** One text with name, version, licence and licence text of each bundled package. */
export function thirdPartyLicenses(directory) {
  const parts = bundledPackages(directory).map((path) => {
    const home = join(root, path);
    const { name, version, license } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file && existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  if (parts.length === 0)
    throw new Error(`no bundled package found in ${directory}: has the bundler's output changed?`);
  return `This package contains code of the following packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
