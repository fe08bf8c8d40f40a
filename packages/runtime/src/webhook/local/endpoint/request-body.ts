import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes of all requests that wait or are in progress. */
const maxTotal = 512 * 1024 * 1024;
let total = 0;

/** The requests in progress use up the memory for bodies. */
export class RequestTooLargeError extends Error {
  constructor() {
    super("the bodies of the requests that wait use too much memory");
  }
}

/**
 * Reads a body into memory, so that it can be sent to the next manager again. The memory counts until the request is
 * answered.
 *
 * @throws RequestTooLargeError if all bodies together are too large
 */
export async function readRequestBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let own = 0;
  response.once("close", () => {
    total -= own;
  });
  for await (const chunk of request as AsyncIterable<Buffer>) {
    own += chunk.length;
    total += chunk.length;
    if (total > maxTotal) throw new RequestTooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
