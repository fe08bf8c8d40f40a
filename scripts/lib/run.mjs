// Helpers for this repository's scripts. They use only Node, so that they run on every system before packages are installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const windows = process.platform === "win32";

/** Ends the process group of a child, including all processes that it started. */
function endGroup(child, signal) {
  try {
    if (windows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

/**
 * Runs a command and resolves to `{ code, signal, output }`. `signal` is the signal that ended it, if any. Output is only
 * collected if `quiet` is set; with `"stdout"`, only that stream. On SIGINT and SIGTERM, the child's group ends before this
 * process does. Then the promise rejects, so that no further step begins, and the exit code is 130.
 */
export function run(command, args, { cwd = root, env = {}, quiet = false, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [input === undefined ? "ignore" : "pipe", quiet ? "pipe" : "inherit", quiet === true ? "pipe" : "inherit"],
      shell: windows,
      detached: !windows,
    });
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    if (input !== undefined) child.stdin.end(input);
    let interrupted = false;
    const stop = (signal) => {
      interrupted = true;
      endGroup(child, signal);
      // Don't wait for children that end slowly.
      setTimeout(() => endGroup(child, "SIGKILL"), 5_000).unref();
    };
    const onInt = () => stop("SIGINT");
    const onTerm = () => stop("SIGTERM");
    process.once("SIGINT", onInt);
    process.once("SIGTERM", onTerm);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("SIGINT", onInt);
      process.off("SIGTERM", onTerm);
      if (interrupted) {
        process.exitCode = 130;
        reject(new Error("interrupted"));
        return;
      }
      resolve({ code: code ?? (signal ? 130 : 1), signal, output });
    });
  });
}

/** Same as {@link run}, but throws an error with the output for any exit code other than 0. */
export async function must(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    throw new Error(
      `${command} ${args.join(" ")} ended with ${result.code}${result.output ? `\n${result.output}` : ""}`,
    );
  }
  return result.output;
}

/** Runs a script of an installed package with the current Node, without npx or a shell. */
export function bin(packageName, script) {
  return join(root, "node_modules", packageName, script);
}

/** Whether the lock file of a directory is newer than its installed packages. */
function stale(directory) {
  const installed = join(directory, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return true;
  const lock = JSON.parse(readFileSync(join(directory, "package-lock.json"), "utf8"));
  const have = JSON.parse(readFileSync(installed, "utf8"));
  return Object.entries(lock.packages).some(
    ([path, entry]) =>
      path.startsWith("node_modules/") &&
      !entry.optional &&
      !entry.peer &&
      have.packages[path]?.version !== entry.version,
  );
}

/** Runs `npm ci` if it hasn't run for a directory's lock file yet. */
export async function install(directory = root) {
  if (!stale(directory)) return;
  const where = directory === root ? "" : ` in ${relative(root, directory)}`;
  process.stderr.write(`Installing dependencies (npm ci)${where} …\n`);
  const npm = process.env.npm_execpath;
  const options = { cwd: directory };
  if (npm && statSync(npm, { throwIfNoEntry: false })) await must(process.execPath, [npm, "ci"], options);
  else await must("npm", ["ci"], options);
}

/** Formats the seconds since `start`. */
export function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
