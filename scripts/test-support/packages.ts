import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import { must } from "../lib/run.mjs";
import { checkout } from "./scaffold.ts";

const ownStore = join(checkout, "node_modules/.cache/kubewright-e2e");
/** Milliseconds after which unused packages are removed: longer than any test that may run at the same time. */
const keptFor = 24 * 3_600_000;

/**
 * Adds the packages of `npm install` to a scaffolded project. All projects have the same dependencies, which are installed
 * for the first one and kept. The names of this checkout's own tarballs contain a hash of their content, so changed ones are
 * installed again.
 */
export async function linkPackages(project: string, store = ownStore): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const key = createHash("sha256")
    .update(JSON.stringify([dependencies, devDependencies]))
    .digest("hex")
    .slice(0, 16);
  const home = join(store, key);
  // Tests that start together would each spend 17 s of processor time on the same installation.
  mkdirSync(store, { recursive: true });
  const unlock = await lock(store, { retries: { forever: true, minTimeout: 100, maxTimeout: 100 } });
  try {
    if (!existsSync(home)) {
      dropUnused(store);
      await install(project, home);
    }
  } finally {
    await unlock();
  }
  utimesSync(home, new Date(), new Date());
  symlinkSync(join(home, "node_modules"), join(project, "node_modules"), "junction");
  cpSync(join(home, "package-lock.json"), join(project, "package-lock.json"));
}

async function install(project: string, home: string): Promise<void> {
  mkdirSync(dirname(home), { recursive: true });
  const unfinished = mkdtempSync(`${home}.`);
  // Operators that run as another user read it too.
  chmodSync(unfinished, 0o755);
  for (const name of ["package.json", "vendor"])
    cpSync(join(project, name), join(unfinished, name), { recursive: true });
  await must("npm", ["install", "--no-audit", "--no-fund"], { cwd: unfinished });
  renameSync(unfinished, home);
}

function dropUnused(store: string): void {
  for (const name of existsSync(store) ? readdirSync(store) : []) {
    const path = join(store, name);
    const unused = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (unused > keptFor) rmSync(path, { recursive: true, force: true });
  }
}
