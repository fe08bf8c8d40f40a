import type { IncomingMessage, ServerResponse } from "node:http";
import { StatusError } from "../model/status.ts";
import { RequestTimeout, requestTimeout } from "../request/deadline.ts";

/** The limit of the real server for the body of a request, in bytes. */
export const maxBodyBytes: number = 3 * 1024 * 1024;

/** The limit for the memory of all bodies together, in bytes. Clients repeat requests that exceed it. */
const maxHeldBytes = 32 * maxBodyBytes;

/** The bytes of a refused body that are read and dropped, so that its sender sees the answer. Then the connection ends. */
const maxDroppedBytes = 64 * 2 ** 20;

/** Reads the bodies of requests, with a limit for the memory that all of them use. */
export class RequestBodies {
  #held = 0;

  /**
   * Reads the body of a request. Its memory counts until the response is complete.
   *
   * @param request - the request
   * @param response - its response
   * @returns the body; undefined if there is none
   * @throws StatusError (413) if it is too large
   * @throws StatusError (429) if the bodies of all requests are too large together
   * @throws RequestTimeout if it doesn't arrive in time
   */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      let body = Buffer.alloc(0);
      let length = 0;
      let released = false;
      const release = (): void => {
        if (!released) this.#held -= body.length;
        released = true;
        body = Buffer.alloc(0);
      };
      const stop = (error: Error): void => {
        release();
        dropRest(request);
        reject(error);
      };
      const timer = setTimeout(() => stop(new RequestTimeout()), requestTimeout);
      timer.unref();
      response.once("close", release);
      request.on("data", (chunk: Buffer) => {
        if (released) return;
        const size = body.length;
        length += chunk.length;
        if (length > maxBodyBytes) {
          stop(new StatusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${maxBodyBytes}`));
          return;
        }
        body = appended(body, length - chunk.length, chunk);
        this.#held += body.length - size;
        if (this.#held > maxHeldBytes) stop(tooMany());
      });
      request.on("end", () => resolve(length === 0 ? undefined : body.subarray(0, length)));
      request.on("close", () => reject(new Error("the client has closed the connection")));
      request.on("error", reject);
      const clear = (): void => clearTimeout(timer);
      request.once("end", clear);
      request.once("close", clear);
    });
  }
}

/** Appends a chunk to a body. Many small chunks need much more memory than their bytes, so they are copied. */
function appended(body: Buffer, length: number, chunk: Buffer): Buffer<ArrayBuffer> {
  if (length === 0) return chunk as Buffer<ArrayBuffer>;
  const enough = body.length >= length + chunk.length;
  const larger = enough ? body : Buffer.allocUnsafeSlow(Math.max(2 * body.length, length + chunk.length));
  if (!enough) body.copy(larger, 0, 0, length);
  chunk.copy(larger, length);
  return larger as Buffer<ArrayBuffer>;
}

/**
 * Reads the rest of a request that is refused without its body, up to a limit.
 *
 * @param request - the request
 */
export function dropRest(request: IncomingMessage): void {
  let dropped = 0;
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > maxDroppedBytes) request.destroy();
  });
}

function tooMany(): StatusError {
  const message = "Too many requests, please try again later.";
  return new StatusError(429, "TooManyRequests", message, { retryAfterSeconds: 1 });
}
