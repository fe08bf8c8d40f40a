import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "../../http/refusal.ts";
import { type MemoryLimiter, NoRoomError } from "./memory-limiter.ts";

/** Reports a body that can't be accepted. `code` is the HTTP status. */
export class BodyError extends Error {
  override readonly name: string = "BodyError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Limits of a body. */
export interface BodyLimits {
  /** Maximum size in bytes. */
  size: number;
  /** Time limit in milliseconds for the whole body. */
  time: number;
  /** Maximum nesting depth of lists and objects. */
  depth: number;
  /** Limits the memory of all bodies together. */
  memory: MemoryLimiter;
}

/** Rate in bytes per second that every body must reach on average: a fraction of the slowest network in a cluster. */
const minRate = 16 * 1024;
/** Minimum time in milliseconds between two checks of the rate, since networks that lose packets stall for a while. */
const rateInterval = 5000;
/** Maximum time in milliseconds from a complete body to the end of its response. API servers wait 30 seconds at most. */
const answerTime = 60_000;

/**
 * Reads the text of a JSON body. The body counts against the memory of all bodies until its response ends. A refused
 * body isn't read any further: its connection ends after the response.
 *
 * @param request - the request
 * @param response - its response, whose end releases the memory
 * @param limits - the limits of this body
 * @returns the text
 * @throws NoRoomError if the body had to make room for others
 * @throws BodyError for a body that is compressed (415), too large (413), too slow (408), incomplete or nested too
 * deeply (400)
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<string> {
  const { size, depth } = limits;
  const { "content-encoding": encoding = "identity", "content-length": announced = 0 } = request.headers;
  if (encoding !== "identity" || Number(announced) > size) {
    stopReading(request, response);
    if (Number(announced) > size) throw tooLarge(size);
    throw new BodyError(415, "the request's body has a Content-Encoding; it must have none");
  }
  const body = await receive(request, response, limits);
  const timer = setTimeout(() => response.destroy(), answerTime).unref();
  response.once("close", () => clearTimeout(timer));
  if (isDeeper(body, depth)) {
    throw new BodyError(400, `request body is nested too deeply; limit is ${depth} levels`);
  }
  return body.toString("utf8");
}

const tooLarge = (size: number): BodyError => new BodyError(413, `request entity is too large; limit is ${size} bytes`);

function receive(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  const { size, time, memory } = limits;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const announced = Number(request.headers["content-length"]);
    let length = 0;
    let hasWaited = false;
    let readingSince = performance.now();
    const refuse = (error: Error): void => {
      stop();
      chunks.length = 0;
      permit.release();
      stopReading(request, response);
      reject(error);
    };
    const permit = memory.admit({
      address: request.socket.remoteAddress ?? "",
      hasArrived: () => request.complete || length === announced,
      pause: () => {
        hasWaited = true;
        request.pause();
      },
      resume: () => {
        // Time in which the body was paused doesn't count.
        readingSince = performance.now();
        request.resume();
      },
      evict: refuse,
    });
    response.once("close", () => permit.release());
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > size) {
        refuse(tooLarge(size));
      } else {
        chunks.push(chunk);
        permit.charge(chunk.length);
      }
    };
    const onEnd = (): void => {
      stop();
      permit.complete();
      resolve(Buffer.concat(chunks, length));
    };
    const onBroken = (): void => {
      stop();
      reject(new BodyError(400, "the request ended before its body was complete"));
    };
    // Timers run before sockets: data that arrived while the process was busy is read before a timer decides.
    let hasEnded = false;
    const decide = (check: () => void): (() => unknown) => {
      return () => setImmediate(() => hasEnded || check());
    };
    const refuseLate = (): void => {
      const isTheirs = !hasWaited && !memory.isUsedUp;
      refuse(
        isTheirs
          ? new BodyError(408, `the request's body was not received within ${time} ms`)
          : new NoRoomError(
              `too many requests are in progress: no memory for the body was available within ${time} ms`,
            ),
      );
    };
    const timer = setTimeout(decide(refuseLate), time);
    // Random, so that clients that connected together aren't refused together: most reconnect, and each handshake takes
    // time.
    const interval = rateInterval * (1 + Math.random());
    const refuseSlow = (): void => {
      if (memory.isUsedUp) {
        // The limiter refuses slow bodies then, and this process may be too busy to read.
        readingSince = performance.now();
        return;
      }
      const readingTime = performance.now() - readingSince;
      if (readingTime < rateInterval || length >= (minRate * readingTime) / 1000) return;
      refuse(new BodyError(408, `the request's body was received with less than ${minRate} bytes per second`));
    };
    const rateTimer = setInterval(decide(refuseSlow), interval);
    const stop = (): void => {
      hasEnded = true;
      clearTimeout(timer);
      clearInterval(rateTimer);
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
    };
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}

// Reading a refused body would cost as much as accepting it.
function stopReading(request: IncomingMessage, response: ServerResponse): void {
  refuse(response);
  request.on("error", () => {});
  if (request.httpVersionMajor === 1) {
    // Node.js reads a body to its end only if nothing of it was read before.
    request.read(0);
    request.pause();
  } else {
    // Unread data of one stream would block the others of its connection.
    response.once("finish", () => request.destroy());
    request.resume();
  }
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const quote = 0x22;
const backslash = 0x5c;

/** Checks whether JSON is nested deeper than the limit, because later recursion needs stack for each level. */
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
