import type { Writable } from "node:stream";

/** Bytes that wait for a reader. When it stops reading, further lines are dropped: they would fill the memory. */
const maxPending = 4 * 1024 * 1024;

type LineWriter = { write(line: string): void };

/** Loggers with the same stream share its listener and its count. */
const writers = new WeakMap<Writable, LineWriter>();

/**
 * Returns a destination that survives a full disk and a reader that stops. The first line afterwards reports the number of
 * lines that were lost. A closed pipe ends the process, as in other programs, unless the process has its own listener for errors of
 * the stream.
 *
 * @param stream - receives the lines
 * @param notice - returns the line that reports lost lines
 */
export function durableDestination(stream: Writable, notice: (lost: number) => string): LineWriter {
  const existing = writers.get(stream);
  if (existing) return existing;
  let lost = 0;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" && stream.listenerCount("error") === 1) throw error;
    lost++;
  });
  const destination: LineWriter = {
    write(line) {
      if (stream.writableLength > maxPending) {
        lost++;
        return;
      }
      if (lost > 0) {
        const text = notice(lost);
        lost = 0;
        stream.write(text);
      }
      stream.write(line);
    },
  };
  writers.set(stream, destination);
  return destination;
}
