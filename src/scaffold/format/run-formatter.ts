import { run } from "../../programs/run.ts";

/** Maximum length of a formatter's output in characters. */
const largestOutput = 256 * 1024 * 1024;
/** Maximum duration of a formatter's run in milliseconds: it can wait for nothing. */
const longestRun = 120_000;

/** The end of a formatter. */
export interface FormatterEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** The reason why it failed, if it did. */
  readonly failure?: string;
}

/** Runs a formatter with a text as its input. */
export async function runFormatter(
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
): Promise<FormatterEnd> {
  const { failed, stdout, stderr, message } = await run(program, args, {
    cwd: root,
    env,
    input,
    ...(signal && { signal }),
    maxOutput: largestOutput,
    timeout: longestRun,
  });
  return { stdout, stderr, ...(failed && { failure: message.split("\n", 1)[0] ?? "" }) };
}
