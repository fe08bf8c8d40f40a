import { PassThrough, Writable } from "node:stream";
import { run } from "../run.ts";

export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The piped input. */
  readonly input?: string;
  /** The input that is typed before the first prompt. */
  readonly typed?: string;
  /** Whether the output goes to a terminal. */
  readonly tty?: boolean;
  /** Simulates a user at a terminal: each answer is typed when its prompt appears. */
  readonly answers?: readonly (readonly [question: string, answer: string])[];
}

class Screen extends Writable {
  text = "";
  isTTY = false;
  columns = 120;
  rows = 40;
  onText: (text: string) => void = () => undefined;

  /** Inquirer pipes into this stream: like the process's own streams it stays open. */
  override end(): this {
    return this;
  }

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    this.onText(this.text);
    done();
  }
}

/** Runs the command line in this process, with its own streams. */
export async function runCli(cwd: string, argv: readonly string[], options: CliOptions = {}): Promise<CliEnd> {
  const stdin = Object.assign(new PassThrough(), { isTTY: false, setRawMode: () => stdin });
  if (options.input !== undefined) stdin.end(options.input);
  const [stdout, stderr] = [new Screen(), new Screen()];
  if (options.tty === true) stdout.isTTY = stderr.isTTY = true;
  if (options.answers !== undefined) {
    stdin.isTTY = true;
    stderr.isTTY = true;
    stdin.write(options.typed ?? "");
    const answers = [...options.answers];
    stderr.onText = (text) => {
      const [next] = answers;
      if (next === undefined || !text.includes(next[0])) return;
      answers.shift();
      setTimeout(() => stdin.write(next[1]), 5);
    };
  }
  const code = await run(argv, {
    cwd,
    env: options.env ?? {},
    stdin: () => stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}
