import { TransportError } from "../errors/transport-error.ts";
import { parseJson } from "../json/parse.ts";
import { mayHoldSecrets, redactText } from "../log/redact-text.ts";
import type { ByteSource } from "./bytes.ts";

const NEWLINE = 10;
/**
 * Maximum length of a line in bytes. It is many times the default limit of a stored object (1.5 MiB), because JSON can be
 * longer.
 */
const LONGEST = 32 * 1024 * 1024;

/** Converts a line to an item of the stream. Lines for which it returns `undefined` are skipped. */
export type ReadLine = (text: string, what: string) => unknown;

/** Parses a line of JSON and skips empty lines. Throws a `TransportError` if the line isn't valid JSON. */
export const jsonLine: ReadLine = (text, what) => (text.trim() === "" ? undefined : parseLine(text, what));

/** Returns a line of text unchanged. */
export const textLine: ReadLine = (text) => text;

/**
 * Reads a response line by line. It splits lines as bytes, so that chunks can end within a line or a character. Each line is
 * copied once, regardless of its size. A last line without a newline is accepted if it is complete.
 */
export async function* readLines(
  source: ByteSource,
  what: string,
  read: ReadLine,
): AsyncGenerator<unknown, void, undefined> {
  let pending: Buffer[] = [];
  let size = 0;
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      checkLength(size + end - start, what);
      let text: string;
      if (pending.length > 0) {
        pending.push(chunk.subarray(start, end));
        text = Buffer.concat(pending).toString("utf8");
        pending = [];
        size = 0;
      } else {
        text = chunk.toString("utf8", start, end);
      }
      start = end + 1;
      const line = read(text, what);
      if (line !== undefined) yield line;
    }
    if (start === chunk.length) continue;
    size += chunk.length - start;
    checkLength(size, what);
    pending.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(pending).toString("utf8");
  const last = rest === "" ? undefined : read(rest, what);
  if (last !== undefined) yield last;
}

function checkLength(size: number, what: string): void {
  if (size <= LONGEST) return;
  throw new TransportError("EBADANSWER", `${what}: the stream contains a line of more than ${LONGEST} bytes`);
}

function parseLine(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // The parser's error also quotes the text.
    if (mayHoldSecrets(what))
      throw new TransportError("EBADANSWER", `${what}: the stream contains a line that isn't JSON`);
    const excerpt = redactText(text.length > 80 ? `${text.slice(0, 80)}…` : text);
    throw new TransportError("EBADANSWER", `${what}: the stream contains a line that isn't JSON: ${excerpt}`, {
      cause: error,
    });
  }
}
