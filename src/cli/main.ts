import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { workError } from "./framework/errors.ts";
import { globalOptions } from "./framework/global-options.ts";
import { Interruption } from "./framework/interruption.ts";
import { setRealDirectory } from "./framework/real-directory.ts";
import { reportError } from "./framework/report.ts";
import { run } from "./run.ts";

/** Ends the process after all output was flushed, because an exit right after a write truncates output to pipes. */
async function exit(code: number): Promise<never> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
  );
  process.exit(code);
}

/** Runs a command line, and ends the process with its exit code. */
export async function main(argv: readonly string[]): Promise<never> {
  const controller = new AbortController();
  // If the terminal closes during a question, nothing keeps Node running, and it ends with this code.
  process.exitCode = 130;
  // The first signal aborts the command; its plan is undone or completed before the process ends.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => controller.abort(new Interruption(signal)));
  let hungUp = false;
  const hangUp = () => {
    hungUp = true;
    controller.abort(new Interruption("SIGHUP"));
  };
  process.on("SIGHUP", hangUp);
  // A reader that closes the pipe early (`| head`) isn't an error.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const cwd = workingDirectory();
  if (cwd === undefined) {
    const error = workError("no-directory", "the working directory was deleted", "change to an existing directory");
    return exit(reportError(error, globalOptions(argv), process, false));
  }
  setRealDirectory(process.env, cwd);
  const code = await run(argv, {
    cwd,
    env: process.env,
    stdin: openInput(hangUp),
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
  });
  // Node's exit resets the terminal, and crashes if the terminal is gone.
  if (hungUp) dieOf("SIGHUP");
  return exit(code);
}

/** Returns the working directory, or undefined if it was deleted. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Opens standard input on first use, because that takes time. A closed terminal may cause an error there before the signal arrives. */
function openInput(onGone: () => void): () => NodeJS.ReadStream {
  let opened: NodeJS.ReadStream | undefined;
  return () => {
    if (opened === undefined && process.stdin.isTTY) process.stdin.on("error", onGone);
    opened = process.stdin;
    return opened;
  };
}

/** Ends the process as the signal does by default. */
function dieOf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Whether this file is the entry point, as in development. bin/scaffold.js imports it instead. */
function isEntry(): boolean {
  const script = process.argv[1];
  if (script === undefined) return false;
  try {
    return realpathSync(script) === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

if (isEntry()) void main(process.argv.slice(2));
