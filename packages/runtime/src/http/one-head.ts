import type { Socket } from "node:net";

const endOfHead = "\r\n\r\n";

/**
 * Passes one head of an HTTP/1.1 connection at a time to the parser of Node.js, and nothing after the connection is
 * destroyed. Otherwise, Node.js parses everything that it has read before anything can stop it. 64 KiB contain over 2,000
 * requests of 3 KiB memory each, which stay until the end of the event loop's turn. A few hundred connections took 1 GiB
 * that way.
 *
 * @param socket - a new connection of a Node.js HTTP server
 * @param onPart - called when data doesn't end with a head: with a part of a head, or with a body
 */
export function parseOneHeadAtATime(socket: Socket, onPart: () => void): void {
  const listeners = socket.listeners("data") as ((data: Buffer) => void)[];
  const parse = (data: Buffer): void => {
    for (const listener of listeners) listener.call(socket, data);
  };
  for (const listener of listeners) socket.off("data", listener);
  // A listener also disables the direct path from the handle to the parser in Node.js.
  socket.on("data", (data: Buffer) => {
    let start = 0;
    // A head that ends in the next chunk is passed together with the following one, so there are two at most.
    for (let at = data.indexOf(endOfHead); at >= 0; at = data.indexOf(endOfHead, start)) {
      const end = at + endOfHead.length;
      parse(data.subarray(start, end));
      if (socket.destroyed) return;
      start = end;
    }
    if (start === data.length) return;
    parse(data.subarray(start));
    onPart();
  });
}
