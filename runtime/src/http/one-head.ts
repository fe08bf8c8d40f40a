import type { Socket } from "node:net";

const endOfHead = "\r\n\r\n";

/**
 * Gives Node's parser one head of a connection of HTTP/1.1 at a time, and nothing more once the connection is destroyed. Node parses all
 * that it has read from a connection before anything can stop it: with 64 KiB that is over 2,000 requests, 3 KiB each, which stay until
 * the end of the loop's turn. A few hundred connections took 1 GiB that way.
 *
 * @param socket - a connection that Node's HTTP server has just got
 * @param onPart - called when data doesn't end with a head: with a part of a head, or with a body
 */
export function parseOneHeadAtATime(socket: Socket, onPart: () => void): void {
  const listeners = socket.listeners("data") as ((data: Buffer) => void)[];
  const parse = (data: Buffer): void => {
    for (const listener of listeners) listener.call(socket, data);
  };
  for (const listener of listeners) socket.off("data", listener);
  // A listener also ends Node's short cut from the handle to its parser.
  socket.on("data", (data: Buffer) => {
    let start = 0;
    // A head that ends in the next data comes together with the one behind it: there are two at most.
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
