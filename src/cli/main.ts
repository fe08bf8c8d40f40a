import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { workError } from "./errors.ts";
import { globalOptions } from "./global-options.ts";
import { Interruption } from "./interruption.ts";
import { reportError } from "./report.ts";
import { run } from "./run.ts";

/** Ends the process once what was written has left it: an exit right after a write cuts off pipes. */
async function exit(code: number): Promise<never> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
  );
  process.exit(code);
}

/** Runs a command line and ends the process with its exit code. */
export async function main(argv: readonly string[]): Promise<never> {
  const controller = new AbortController();
  // A terminal that closes at a question leaves nothing to wait for: Node then ends by itself, with this code.
  process.exitCode = 130;
  // The first signal asks for an orderly end; the plan is undone or completed before the process goes.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => controller.abort(new Interruption(signal)));
  let hungUp = false;
  const hangUp = () => {
    hungUp = true;
    controller.abort(new Interruption("SIGHUP"));
  };
  process.on("SIGHUP", hangUp);
  // A reader that closes the pipe early (`| head`) is no error of ours.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const cwd = workingDirectory();
  if (cwd === undefined) {
    const error = workError(
      "no-directory",
      "the working directory can't be used: it was deleted",
      "cd to one that exists",
    );
    return exit(reportError(error, globalOptions(argv), process, false));
  }
  const code = await run(argv, {
    cwd,
    env: process.env,
    stdin: openInput(hangUp),
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
  });
  // Node's own exit sets back a terminal, and aborts where that is gone.
  if (hungUp) dieOf("SIGHUP");
  return exit(code);
}

/** Undefined if it was deleted. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Standard input, opened when it is asked for: that costs time. A terminal that is gone may show there before the signal comes. */
function openInput(onGone: () => void): () => NodeJS.ReadStream {
  let opened: NodeJS.ReadStream | undefined;
  return () => {
    if (opened === undefined && process.stdin.isTTY) process.stdin.on("error", onGone);
    opened = process.stdin;
    return opened;
  };
}

/** Ends the process as the signal would have without us. */
function dieOf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** In development the file is run as it is; the published launcher imports it. */
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
