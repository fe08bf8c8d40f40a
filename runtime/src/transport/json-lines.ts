import { TransportError } from "../errors/transport-error.ts";
import { parseJson } from "../json/parse.ts";
import { mayHoldSecrets, redactText } from "../log/redact-text.ts";
import type { ByteSource } from "./bytes.ts";

const NEWLINE = 10;
/** Bytes of a line. Many times what a server stores in one object (1.5 MiB by default), as JSON text may be longer. */
const LONGEST = 32 * 1024 * 1024;

/** Makes of a line what a stream hands out; `undefined` passes it over. */
export type ReadLine = (text: string, what: string) => unknown;

/** The value of a line of JSON; blank lines are passed over. Throws a `TransportError` for what is none. */
export const jsonLine: ReadLine = (text, what) => (text.trim() === "" ? undefined : parseLine(text, what));

/** A line of text as it is. */
export const textLine: ReadLine = (text) => text;

/**
 * Reads an answer line by line. Lines are cut as bytes, so neither chunks nor characters that span two of them matter; a line of
 * any size is copied once. A last line without its newline counts when it is whole.
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
    // The parser's own error quotes the text, too.
    if (mayHoldSecrets(what))
      throw new TransportError("EBADANSWER", `${what}: the stream contains a line that isn't JSON`);
    const excerpt = redactText(text.length > 80 ? `${text.slice(0, 80)}…` : text);
    throw new TransportError("EBADANSWER", `${what}: the stream contains a line that isn't JSON: ${excerpt}`, {
      cause: error,
    });
  }
}
