import type { DevOptions } from "./options.ts";
import { DevSession } from "./session.ts";
import { eventLines, managerLine, painter } from "./view/plain.ts";

/** The input of `scaffold dev`. */
export interface RunOptions extends Omit<DevOptions, "onEvent" | "onLine"> {
  /** Whether to print one JSON object per line. */
  readonly json: boolean;
  /** Whether to leave out the lines of the manager. */
  readonly quiet: boolean;
  readonly color: boolean;
  /** The keyboard; unset without a terminal. */
  readonly input: NodeJS.ReadStream | undefined;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
}

/**
 * Runs a session, and prints what happens, until the signal aborts or `q` is pressed.
 *
 * @throws ProblemError if the session can't start
 */
export async function runSession(options: RunOptions): Promise<void> {
  const { json, quiet, color, write } = options;
  const paint = painter(color);
  const session: DevSession = new DevSession({
    ...options,
    onEvent(event) {
      if (json) return write(`${JSON.stringify(event)}\n`);
      const record = event.event === "reconciled" ? session.records.reconciles({}, 1)[0] : undefined;
      const time = paint("dim", event.time.slice(11, 19));
      const [first, ...more] = eventLines(event, paint, record);
      if (first === undefined) return;
      write(`${[`${time} ${first}`, ...more.map((line) => `         ${line}`)].join("\n")}\n`);
    },
    onLine(line) {
      if (json) process.stderr.write(`${line}\n`);
      else if (!quiet) write(`         ${managerLine(line, paint)}\n`);
    },
  });
  await session.run(async () => ({ url: "", close: async () => undefined }));
}
