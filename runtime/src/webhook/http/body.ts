import type { IncomingMessage, ServerResponse } from "node:http";
import { processRoom, type Room } from "./room.ts";

/** A body that can't be taken; `code` is the HTTP status that says why. */
export class BodyError extends Error {
  override readonly name: string = "BodyError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface BodyLimits {
  /** Bytes. */
  size: number;
  /** Milliseconds until the last byte must have come. */
  time: number;
  /** Levels of lists and objects within each other. */
  depth: number;
  /** What all bodies share; that of the process by default. */
  room?: Room;
}

/** What a client may still send after its body was refused, before the connection goes. */
const discardFor = 2000;

/**
 * Reads the text of a JSON body, as soon as there is room for it until it is answered. Rejects with a `NoRoomError` when there is none,
 * and with a `BodyError` for one that is too large (413), too slow (408), broken off or nested too deeply (400); the rest of it is thrown
 * away as it comes, so that the client can read the answer.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<string> {
  const { size, time, depth, room = processRoom } = limits;
  // Who doesn't say how much comes may send all that is allowed.
  const announced = Number(request.headers["content-length"] ?? size);
  try {
    if (announced > size) throw tooLarge(size);
    const place = room.take(announced, time);
    response.once("close", place.leave);
    await place.ready;
  } catch (error) {
    discard(request);
    throw error;
  }
  const body = await collect(request, limits);
  if (isDeeper(body, depth)) {
    throw new BodyError(400, `request body is nested too deeply; limit is ${depth} levels`);
  }
  return body.toString("utf8");
}

const tooLarge = (size: number): BodyError => new BodyError(413, `request entity is too large; limit is ${size} bytes`);

function collect(request: IncomingMessage, { size, time }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (error: BodyError): void => {
      stop();
      discard(request);
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > size) refuse(tooLarge(size));
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const onBroken = (): void => {
      stop();
      reject(new BodyError(400, "the request broke off before its end"));
    };
    const timer = setTimeout(() => {
      refuse(new BodyError(408, `the request's body did not come within ${time} ms`));
    }, time);
    const stop = (): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
    };
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}

// Closing with unread data would take the answer away from the client.
function discard(request: IncomingMessage): void {
  request.on("error", () => {});
  request.resume();
  const timer = setTimeout(() => request.destroy(), discardFor);
  request.once("close", () => clearTimeout(timer));
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const quote = 0x22;
const backslash = 0x5c;

/** Whether JSON text nests deeper than that: what walks through a value later on needs stack for each level. */
function isDeeper(text: Buffer, limit: number): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    if (isInString) {
      if (byte === backslash) index++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > limit) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}
