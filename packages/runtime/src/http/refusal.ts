import type { ServerResponse } from "node:http";

/** Time in milliseconds from the response to the end of its connection, in which the client can read it. */
const readTime = 1000;
const refused = new WeakSet<ServerResponse>();

/**
 * Marks a response as a refusal, after which an HTTP/1.1 connection ends, so that its peer has to reconnect.
 *
 * @param response - the response, before it ends
 */
export function refuse(response: ServerResponse): void {
  if (refused.has(response)) return;
  refused.add(response);
  const { socket, httpVersionMajor } = response.req;
  if (httpVersionMajor !== 1) return;
  // A complete request needs no more time: the header keeps its client from sending the next one.
  if (response.req.complete && !response.headersSent) response.setHeader("Connection", "close");
  // For others, `Connection: close` would close the connection immediately, so that a client that still sends can miss the
  // response.
  response.once("finish", () => {
    socket.end();
    setTimeout(() => socket.destroy(), readTime).unref();
  });
}

/** Checks whether a response was marked by {@link refuse}. */
export function isRefusal(response: ServerResponse): boolean {
  return refused.has(response);
}
