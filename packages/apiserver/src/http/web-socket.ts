import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { StreamChunk, StreamSink } from "../model/request.ts";

/** The operations of frames (RFC 6455, section 5.2). */
const text = 0x1;
const binary = 0x2;
const close = 0x8;
const ping = 0x9;

const isFinal = 0x80;
const isMasked = 0x80;
const normalClosure = 1000;
const protocolError = 1002;

/** A part of the request that the handshake checks. */
export interface Handshake {
  key: string | undefined;
  version: string | undefined;
  origin: string | undefined;
  protocols: readonly string[];
}

/**
 * Answers the handshake of a WebSocket, with the checks and the texts of the real server.
 *
 * @param handshake - the header fields of the request
 * @returns the response, and whether the WebSocket is open
 */
export function answerHandshake({ key, version, origin, protocols }: Handshake): { head: string; open: boolean } {
  const refuse = (status: string, body = "", field = ""): { head: string; open: boolean } => ({
    head: `HTTP/1.1 ${status}\r\n${field}\r\n${body}`,
    open: false,
  });
  if (!key) return refuse("400 Bad Request", "mismatch challenge/response");
  if (version !== "13") {
    return refuse("400 Bad Request", "missing or bad WebSocket Version", "Sec-WebSocket-Version: 13\r\n");
  }
  if (!/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(origin ?? "")) return refuse("403 Forbidden");
  if (protocols.length > 1) return refuse("400 Bad Request");
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const fields = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`];
  if (protocols.length === 1) fields.push(`Sec-WebSocket-Protocol: ${protocols[0]}`);
  return { head: `HTTP/1.1 101 Switching Protocols\r\n${fields.join("\r\n")}\r\n\r\n`, open: true };
}

/**
 * Sends the events of a watch as messages: one per event. Ends the WebSocket after the last one.
 *
 * @param socket - the connection, after the handshake
 * @returns the receiver of the stream
 */
export function messages(socket: Duplex): StreamSink {
  return {
    write(chunk) {
      if (!socket.writable) return true;
      return socket.write(Buffer.concat(eventsOf(chunk)));
    },
    onDrain(resume) {
      const done = (): void => {
        socket.off("drain", done);
        socket.off("close", done);
        resume();
      };
      socket.once("drain", done);
      socket.once("close", done);
    },
    end: () => endWith(socket, normalClosure),
  };
}

/** Splits a chunk of a stream into its events: lines of JSON, or messages of protobuf after their lengths. */
function eventsOf(chunk: StreamChunk): Buffer[] {
  if (typeof chunk === "string") {
    return chunk
      .split(/(?<=\n)/)
      .filter((line) => line !== "")
      .map((line) => frame(text, Buffer.from(line)));
  }
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const events: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    events.push(frame(binary, bytes.subarray(at + 4, end)));
    at = end;
  }
  return events;
}

/** Writes a frame. Those of servers aren't masked. */
function frame(operation: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([isFinal | operation, length]), payload]);
  const head = Buffer.alloc(length < 0x10000 ? 4 : 10);
  head[0] = isFinal | operation;
  head[1] = length < 0x10000 ? 126 : 127;
  if (length < 0x10000) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

function endWith(socket: Duplex, code: number): void {
  if (!socket.writable) return;
  const reason = Buffer.alloc(2);
  reason.writeUInt16BE(code);
  socket.end(frame(close, reason));
}

/** Reads the frames of a client: answers pings, and ignores messages, which a watch has no use for. */
export class ClientFrames {
  readonly #socket: Duplex;
  readonly #onClose: () => void;
  #rest: Buffer = Buffer.alloc(0);
  /** The bytes of a message that are still to come. */
  #skip = 0;

  /**
   * @param socket - the connection
   * @param onClose - called if the client closes the WebSocket, or sends something else
   */
  constructor(socket: Duplex, onClose: () => void) {
    this.#socket = socket;
    this.#onClose = onClose;
  }

  /** Reads what has arrived. */
  read(bytes: Buffer): void {
    const skipped = Math.min(this.#skip, bytes.length);
    this.#skip -= skipped;
    this.#rest = Buffer.concat([this.#rest, bytes.subarray(skipped)]);
    while (this.#next());
  }

  /** Reads a frame. False if it hasn't arrived yet, or nothing follows it. */
  #next(): boolean {
    const bytes = this.#rest;
    if (bytes.length < 2) return false;
    const [first, second] = [bytes[0] as number, bytes[1] as number];
    const short = second & 0x7f;
    const headLength = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + 4;
    if ((second & isMasked) === 0) {
      endWith(this.#socket, protocolError);
      return this.#end();
    }
    if (bytes.length < headLength) return false;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    const operation = first & 0xf;
    if (operation === close) return this.#end();
    if (operation < close) {
      const available = Math.min(length, bytes.length - headLength);
      this.#skip = length - available;
      this.#rest = bytes.subarray(headLength + available);
      return true;
    }
    // The payload of a control frame has at most 125 bytes.
    if (short > 125) {
      endWith(this.#socket, protocolError);
      return this.#end();
    }
    if (bytes.length < headLength + length) return false;
    if (operation === ping) {
      const mask = bytes.subarray(headLength - 4, headLength);
      const payload = Buffer.from(bytes.subarray(headLength, headLength + length));
      for (let index = 0; index < length; index++)
        payload[index] = (payload[index] as number) ^ (mask[index % 4] as number);
      if (this.#socket.writable) this.#socket.write(frame(0xa, payload));
    }
    this.#rest = bytes.subarray(headLength + length);
    return true;
  }

  #end(): false {
    this.#rest = Buffer.alloc(0);
    this.#skip = Number.POSITIVE_INFINITY;
    this.#onClose();
    return false;
  }
}
