// Helpers for this repository's scripts. They use only Node, so that they run on every system before packages are installed.
// JavaScript with checked types, because scripts use it before they install packages.
// @ts-check
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const windows = process.platform === "win32";

/**
 * The result of a command that has ended. `signal` is the signal that ended it, if any; its exit code is then 130. `output`
 * contains both streams in the order of arrival.
 *
 * @typedef {{ code: number, signal: NodeJS.Signals | null, stdout: string, stderr: string, output: string }} Finished
 */

/**
 * `env` is added to the environment of this process. `input` is written to standard input, which is otherwise empty. `show`
 * passes the output on to this process instead of collecting it: all of it, or only standard error.
 *
 * @typedef {{ cwd?: string, env?: Record<string, string | undefined>, input?: string, show?: boolean | "stderr" }} RunOptions
 */

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * The running children.
 *
 * @type {Set<ChildProcess>}
 */
const running = new Set();
/**
 * The children that a signal has ended.
 *
 * @type {Set<ChildProcess>}
 */
const interrupted = new Set();

/**
 * Ends the process group of a child, including all processes that it started.
 *
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function endGroup(child, signal) {
  try {
    if (windows) child.kill(signal);
    else if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

/** @param {NodeJS.Signals} signal */
function endAll(signal) {
  for (const child of running) {
    interrupted.add(child);
    endGroup(child, signal);
    // Don't wait for children that end slowly.
    setTimeout(() => endGroup(child, "SIGKILL"), 5_000).unref();
  }
}

/**
 * Handles the signals to this process only while children run.
 *
 * @param {ChildProcess} child
 */
function add(child) {
  if (running.size === 0) for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, endAll);
  running.add(child);
}

/** @param {ChildProcess} child */
function remove(child) {
  running.delete(child);
  if (running.size === 0) for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, endAll);
}

/**
 * Runs a command to its end. On SIGINT and SIGTERM, the groups of all children end before this process does. Then the promises
 * reject, so that no further step begins, and the exit code is 130.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Finished>}
 */
export function run(command, args, { cwd = root, env = {}, input, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [input === undefined ? "ignore" : "pipe", show === true ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      shell: windows,
      detached: !windows,
    });
    const result = { stdout: "", stderr: "", output: "" };
    for (const stream of /** @type {const} */ (["stdout", "stderr"])) {
      child[stream]?.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
        result[stream] += chunk;
        result.output += chunk;
      });
    }
    // A command may end without reading its input.
    child.stdin?.on("error", () => {}).end(input);
    add(child);
    child.on("error", (error) => {
      remove(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      remove(child);
      if (interrupted.has(child)) {
        process.exitCode = 130;
        reject(new Error("interrupted"));
        return;
      }
      resolve({ code: code ?? (signal ? 130 : 1), signal, ...result });
    });
  });
}

/**
 * Same as {@link run}, but throws an error with the output for any exit code other than 0.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Finished>}
 */
export async function must(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    throw new Error(
      `${command} ${args.join(" ")} ended with ${result.code}${result.output ? `\n${result.output}` : ""}`,
    );
  }
  return result;
}

/**
 * Returns the path of a program of an installed package, to run it with the current Node, without npx or a shell.
 *
 * @param {string} packageName
 * @param {string} script - the path of the program in the package
 */
export function bin(packageName, script) {
  return join(root, "node_modules", packageName, script);
}

/**
 * Whether the lock file of a directory is newer than its installed packages.
 *
 * @param {string} directory
 */
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
  const options = { cwd: directory, show: true };
  if (npm && statSync(npm, { throwIfNoEntry: false })) await must(process.execPath, [npm, "ci"], options);
  else await must("npm", ["ci"], options);
}

/**
 * Formats the seconds since a time.
 *
 * @param {number} start - by `performance.now()`
 */
export function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
