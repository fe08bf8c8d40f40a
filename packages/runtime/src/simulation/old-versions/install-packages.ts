import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheOf } from "./cache.ts";
import { UsageProblem } from "./usage-problem.ts";

const run = promisify(execFile);

/**
 * Installs the packages of an old version as its lock file lists them, without their scripts. Versions with the same lock file
 * share them.
 *
 * @param name - the name of the version
 * @param directory - its directory, which isn't changed
 * @param root - the directory of the project
 * @returns the directory whose `node_modules` contains them
 * @throws UsageProblem if it has no lock file of npm, or the installation fails
 */
export async function installPackages(name: string, directory: string, root: string): Promise<string> {
  const lock = join(directory, "package-lock.json");
  if (!existsSync(lock)) {
    throw new UsageProblem(
      `--from-install: ${name} has no package-lock.json`,
      "leave --from-install out, so that it runs with the packages of the project",
    );
  }
  const hash = createHash("sha256")
    .update(readFileSync(lock))
    .update(readFileSync(join(directory, "package.json")));
  const installed = join(cacheOf(root), "packages", hash.digest("hex").slice(0, 32));
  if (existsSync(installed)) return installed;
  const partial = `${installed}-${randomUUID()}`;
  mkdirSync(partial, { recursive: true });
  try {
    // Local packages of the lock file have paths in the project.
    const files = ["package.json", "package-lock.json", ".npmrc", "vendor"].filter((one) =>
      existsSync(join(directory, one)),
    );
    for (const file of files) cpSync(join(directory, file), join(partial, file), { recursive: true });
    const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await run(process.platform === "win32" ? "npm.cmd" : "npm", flags, { cwd: partial });
    // Another process can have installed the same packages meanwhile.
    if (!existsSync(installed)) renameSync(partial, installed);
  } catch (error) {
    const { stderr = "", message } = error as { stderr?: string; message: string };
    const [line = message] = stderr.split("\n").filter((text) => text.trim() !== "");
    throw new UsageProblem(`--from-install: npm ci fails for ${name}: ${line}`);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return installed;
}
