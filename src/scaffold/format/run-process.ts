import { execFile } from "node:child_process";

/** Maximum size of a formatter's output in bytes. */
const largestOutput = 256 * 1024 * 1024;
/** Maximum duration of a formatter's run in milliseconds: it can wait for nothing. */
const longestRun = 120_000;

/** The end of a program. */
export interface ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** The reason why it failed, if it did. */
  readonly failure?: string;
}

/** Runs a program with a text as its input. */
export function runProcess(
  program: string,
  args: readonly string[],
  input: string,
  {
    root,
    env,
    signal,
  }: {
    readonly root: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal?: AbortSignal;
  },
): Promise<ProcessEnd> {
  const options = { cwd: root, env, ...(signal && { signal }), maxBuffer: largestOutput, timeout: longestRun };
  return new Promise((done) => {
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      done({ stdout, stderr, ...(error !== null && { failure: error.message.split("\n", 1)[0] ?? "" }) }),
    );
    // A program that ends early doesn't read its input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
