// JavaScript with checked types, because scripts use it before they install packages.
// @ts-check
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../lib/run.mjs";

const home = dirname(fileURLToPath(import.meta.url));

/** Returns the path of the changesets tool. Installs it by its lock file on first use. */
export async function changesets() {
  await install(home);
  return join(home, "node_modules/@changesets/cli/bin.js");
}
