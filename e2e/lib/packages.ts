import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { must } from "./process.ts";
import { checkout } from "./scaffold.ts";

const store = join(checkout, "node_modules/.cache/kubewright-e2e");

/**
 * Gives a scaffolded project the packages that `npm install` would. All projects depend on the same: they are installed for the
 * first one, and kept until this checkout packs other ones, whose names carry a hash of what is in them.
 */
export async function linkPackages(project: string): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const key = createHash("sha256")
    .update(JSON.stringify([dependencies, devDependencies]))
    .digest("hex")
    .slice(0, 16);
  const home = join(store, key);
  if (!existsSync(home)) {
    rmSync(store, { recursive: true, force: true });
    await install(project, home);
  }
  symlinkSync(join(home, "node_modules"), join(project, "node_modules"), "junction");
  cpSync(join(home, "package-lock.json"), join(project, "package-lock.json"));
}

async function install(project: string, home: string): Promise<void> {
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const name of ["package.json", "vendor"])
    cpSync(join(project, name), join(unfinished, name), { recursive: true });
  await must("npm", ["install", "--no-audit", "--no-fund"], { cwd: unfinished });
  renameSync(unfinished, home);
}
