import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../lib/run.mjs";

const home = dirname(fileURLToPath(import.meta.url));

/** The script of the changesets tool; it is installed, by its lock file, when it is first asked for. */
export async function changesets() {
  await install(home);
  return join(home, "node_modules/@changesets/cli/bin.js");
}
