// Steps of our own scripts: plain Node, so that they run before anything is installed and on every system.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const windows = process.platform === "win32";

/** Ends the whole group of a child, so that nothing that it started stays behind. */
function endGroup(child, signal) {
  try {
    if (windows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

/**
 * Runs a command and resolves to `{ code, signal, output }`; signal is what ended it, if one did, and output is collected only when `quiet` (`"stdout"`: that alone).
 * On SIGINT and SIGTERM the child's group ends before this process does; the promise rejects then, so that no further step
 * begins, and the exit code is 130.
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
      // Children that end slowly aren't waited for.
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

/** Like {@link run}, but a code other than 0 is an error that shows the output. */
export async function must(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    throw new Error(
      `${command} ${args.join(" ")} ended with ${result.code}${result.output ? `\n${result.output}` : ""}`,
    );
  }
  return result.output;
}

/** Runs a script of an installed package with this very Node: no npx, no shell. */
export function bin(packageName, script) {
  return join(root, "node_modules", packageName, script);
}

/** True where the lock file of a directory is newer than what is installed there. */
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

/** `npm ci`, where it hasn't run for a directory's lock file yet. */
export async function install(directory = root) {
  if (!stale(directory)) return;
  const where = directory === root ? "" : ` in ${relative(root, directory)}`;
  process.stderr.write(`Installing dependencies (npm ci)${where} …\n`);
  const npm = process.env.npm_execpath;
  const options = { cwd: directory };
  if (npm && statSync(npm, { throwIfNoEntry: false })) await must(process.execPath, [npm, "ci"], options);
  else await must("npm", ["ci"], options);
}

/** Seconds since `start`, as people read them. */
export function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
