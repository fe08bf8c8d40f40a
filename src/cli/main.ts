import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => controller.abort());
  // A reader that closes the pipe early (`| head`) is no error of ours.
  process.stdout.on("error", () => undefined);
  const code = await run(argv, {
    cwd: process.cwd(),
    env: process.env,
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
  });
  return exit(code);
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
