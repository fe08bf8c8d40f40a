import type { ServerResponse } from "node:http";

/** Milliseconds from the answer to the end of its connection, in which the client can read the answer. */
const readTime = 1000;
const refused = new WeakSet<ServerResponse>();

/**
 * Marks a response as a refusal. A connection of HTTP/1.1 ends after it: a peer that wants more has to wait for another.
 *
 * @param response - the response, before it ends
 */
export function refuse(response: ServerResponse): void {
  if (refused.has(response)) return;
  refused.add(response);
  const { socket, httpVersionMajor } = response.req;
  if (httpVersionMajor !== 1) return;
  // Not by `Connection: close`: Node then closes at once, which can take the answer from a client that still sends.
  response.once("finish", () => {
    socket.end();
    setTimeout(() => socket.destroy(), readTime).unref();
  });
}

/** Whether a response was marked by {@link refuse}. */
export function isRefusal(response: ServerResponse): boolean {
  return refused.has(response);
}
