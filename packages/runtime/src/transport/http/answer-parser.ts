import type { IncomingHttpHeaders } from "node:http";
import { WireError } from "./wire-error.ts";

/** Receives the parts of a response, in this order. */
export interface AnswerEvents {
  onHead(status: number, statusText: string, headers: IncomingHttpHeaders): void;
  onData(chunk: Buffer): void;
  /** Called when the response is complete. `reusable` is true if another request may follow on the connection. */
  onEnd(reusable: boolean): void;
}

const maxHead = 64 * 1024;
const maxLine = 4 * 1024;
const newline = 10;
const headEnd = Buffer.from("\r\n\r\n");
const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/;
const fieldName = /^[!#$%&'*+\-.^_`|~\w]+$/;
const chunkSize = /^([\da-f]{1,13})[ \t]*(?:;.*)?$/i;

type State = "head" | "body" | "to-the-end" | "chunk-size" | "chunk" | "chunk-end" | "trailers" | "complete";

/**
 * Parses one HTTP/1.1 response as it arrives (RFC 9112). Throws a `WireError` with code `EBADANSWER` for invalid responses.
 * Ambiguous responses are rejected, because another reader could interpret them differently.
 */
export class AnswerParser {
  readonly #events: AnswerEvents;
  #state: State = "head";
  /** Bytes of an incomplete head or line. */
  #pending: Buffer | undefined;
  /** Remaining bytes of the body or chunk. */
  #left = 0;
  #reusable = true;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  push(chunk: Buffer): void {
    for (let position = 0; position < chunk.length; ) position = this.#step(chunk, position);
  }

  /** Handles the server's closing of the connection. Returns whether the response is complete. */
  close(): boolean {
    if (this.#state === "to-the-end") this.#complete();
    return this.#state === "complete";
  }

  #step(chunk: Buffer, position: number): number {
    switch (this.#state) {
      case "head":
        return this.#head(chunk, position);
      case "body":
      case "chunk":
        return this.#data(chunk, position);
      case "to-the-end":
        this.#events.onData(position === 0 ? chunk : chunk.subarray(position));
        return chunk.length;
      case "complete":
        throw bad("bytes came after the end of an answer");
      default:
        return this.#line(chunk, position);
    }
  }

  #head(chunk: Buffer, position: number): number {
    const before = this.#pending?.length ?? 0;
    const bytes = this.#pending ? Buffer.concat([this.#pending, chunk.subarray(position)]) : chunk.subarray(position);
    const end = bytes.indexOf(headEnd, Math.max(0, before - headEnd.length + 1));
    if (end > maxHead || (end < 0 && bytes.length > maxHead)) throw bad("the head of the answer is too long");
    if (end < 0) {
      if (!"HTTP/1.".startsWith(bytes.toString("latin1", 0, Math.min(7, bytes.length)))) throw bad("it isn't HTTP");
      this.#pending = bytes;
      return chunk.length;
    }
    this.#pending = undefined;
    this.#begin(bytes.toString("latin1", 0, end));
    return position + end + headEnd.length - before;
  }

  #begin(head: string): void {
    const [first, ...lines] = head.split("\r\n");
    const match = statusLine.exec(first!);
    if (!match) throw bad("its status line isn't HTTP/1.1");
    const status = Number(match[2]);
    if (status === 101) throw bad("the protocol was switched without a request");
    // Informational response before the final one: 100 Continue, 103 Early Hints.
    if (status < 200) return;
    const headers = fieldsOf(lines);
    const connection = headers.connection?.toLowerCase() ?? "";
    const tokens = connection.split(",").map((token) => token.trim());
    this.#reusable = match[1] === "1" ? !tokens.includes("close") : tokens.includes("keep-alive");
    this.#frame(status, headers);
    this.#events.onHead(status, match[3] ?? "", headers);
    if (this.#state === "body" && this.#left === 0) this.#complete();
  }

  /** Determines the length of the body: RFC 9112, section 6.3. */
  #frame(status: number, headers: IncomingHttpHeaders): void {
    const encoding = headers["transfer-encoding"];
    const length = headers["content-length"];
    this.#left = 0;
    if (status === 204 || status === 304) {
      this.#state = "body";
    } else if (encoding !== undefined) {
      if (length !== undefined) throw bad("it has a length and is in chunks, too");
      if (encoding.trim().toLowerCase() !== "chunked") throw bad(`its transfer encoding ${encoding} is unknown`);
      this.#state = "chunk-size";
    } else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length)) throw bad(`its length ${length} isn't a number`);
      this.#left = Number(length);
      this.#state = "body";
    } else {
      this.#state = "to-the-end";
      this.#reusable = false;
    }
  }

  #data(chunk: Buffer, position: number): number {
    const end = Math.min(chunk.length, position + this.#left);
    this.#left -= end - position;
    this.#events.onData(position === 0 && end === chunk.length ? chunk : chunk.subarray(position, end));
    if (this.#left > 0) return end;
    if (this.#state === "chunk") this.#state = "chunk-end";
    else this.#complete();
    return end;
  }

  /** Parses the lines between chunks and after the last chunk. */
  #line(chunk: Buffer, position: number): number {
    const end = chunk.indexOf(newline, position);
    const piece = chunk.subarray(position, end < 0 ? chunk.length : end);
    const bytes = this.#pending ? Buffer.concat([this.#pending, piece]) : piece;
    if (bytes.length > maxLine) throw bad("a line between its chunks is too long");
    this.#pending = end < 0 ? bytes : undefined;
    if (end < 0) return chunk.length;
    const line = bytes.toString("latin1");
    if (!line.endsWith("\r")) throw bad("a line between its chunks has no proper end");
    this.#between(line.slice(0, -1));
    return end + 1;
  }

  #between(line: string): void {
    if (this.#state === "trailers") {
      if (line === "") this.#complete();
      return;
    }
    if (this.#state === "chunk-end") {
      if (line !== "") throw bad("a chunk is longer than its size");
      this.#state = "chunk-size";
      return;
    }
    const size = chunkSize.exec(line);
    if (!size) throw bad("the size of a chunk isn't a number");
    this.#left = Number.parseInt(size[1]!, 16);
    this.#state = this.#left === 0 ? "trailers" : "chunk";
  }

  #complete(): void {
    this.#state = "complete";
    this.#events.onEnd(this.#reusable);
  }
}

// Joins repeated fields into one list (RFC 9110, section 5.3). A repeated content length becomes an invalid number.
function fieldsOf(lines: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!fieldName.test(name)) throw bad("a line of its head isn't a header");
    const value = line.slice(colon + 1).trim();
    const earlier = headers[name];
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  return headers;
}

function bad(what: string): WireError {
  return new WireError("EBADANSWER", `the answer can't be understood: ${what}`);
}
