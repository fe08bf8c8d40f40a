import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Answer } from "../model/request.ts";
import { isWebSocketRequest, webSocketProtocols } from "../request/web-socket.ts";
import { answerHandshake, ClientFrames, messages } from "./web-socket.ts";

/**
 * Returns a request for another protocol to the HTTP parser, which has passed it on without its body.
 * Other protocols than WebSockets aren't supported, so that the request is answered like all others.
 *
 * @param request - the request
 * @param socket - its connection
 * @param head - what has arrived after the head of the request
 * @param connect - gives the connection to the parser
 */
export function ignoreUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  connect: (socket: Duplex) => void,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] as string, rawHeaders[index + 1] as string];
    if (name.toLowerCase() === "upgrade") continue;
    const kept = value.split(",").filter((option) => option.trim().toLowerCase() !== "upgrade");
    const isConnection = name.toLowerCase() === "connection";
    if (!isConnection) lines.push(`${name}: ${value}`);
    else if (kept.length > 0) lines.push(`${name}: ${kept.join(",")}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  connect(socket);
}

/** Reports whether a request asks for a WebSocket: only those that read can have one. */
export function wantsWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && isWebSocketRequest(headers);
}

/**
 * Sends the stream of a watch over a WebSocket.
 *
 * @param request - the request
 * @param answer - the answer with the stream
 * @param head - what has arrived after the head of the request
 * @param stop - ends the stream
 */
export function serveWebSocket(request: IncomingMessage, answer: Answer, head: Buffer, stop: () => void): void {
  const { headers } = request;
  const { socket } = request;
  const { token, others, all } = webSocketProtocols(headers);
  const handshake = answerHandshake({
    key: headers["sec-websocket-key"],
    version: headers["sec-websocket-version"],
    origin: headers.origin,
    // The token isn't returned to the client, unless it wasn't needed.
    protocols: token === undefined || headers.authorization !== undefined ? all : others,
  });
  if (!handshake.open || answer.stream === undefined) {
    stop();
    socket.end(handshake.head);
    return;
  }
  socket.write(handshake.head);
  const frames = new ClientFrames(socket, stop);
  socket.on("data", (bytes: Buffer) => frames.read(bytes));
  answer.stream.pipe(messages(socket));
  if (head.length > 0) frames.read(head);
}
