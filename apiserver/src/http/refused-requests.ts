import { IncomingMessage, ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Answers a request whose head was read without the HTTP parser. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** An error of the HTTP parser. */
interface ParserError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** An HTTP method is any token. Node's parser accepts only the registered ones. */
const requestLine = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.([01])\r?\n/;

/**
 * Answers a request that Node's HTTP parser refuses, and closes the connection.
 * Methods that only the parser refuses are answered like all others.
 *
 * @param error - the parser's error
 * @param socket - the connection
 * @param respond - answers requests
 */
export function answerRefused(error: ParserError, socket: Duplex, respond: Respond): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = error.code === "HPE_INVALID_METHOD" ? readHead(error.rawPacket) : undefined;
  if (head !== undefined) respondOn(socket, respond, head);
  else if (error.code === "HPE_HEADER_OVERFLOW") end(socket, 431);
  else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") end(socket, 408);
  else end(socket, 400);
}

/**
 * Answers a CONNECT request, which Node passes on without a response.
 *
 * @param request - the request
 * @param socket - its connection, which is closed afterwards
 * @param respond - answers requests
 */
export function answerConnect(request: IncomingMessage, socket: Duplex, respond: Respond): void {
  respondOn(socket, respond, request);
}

type Head = Pick<IncomingMessage, "method" | "url" | "headers">;

/** Reads the head of a request: as much as has arrived with its first line. */
function readHead(packet: Buffer | undefined): Head | undefined {
  const text = packet?.toString("latin1") ?? "";
  const found = requestLine.exec(text);
  if (found === null) return undefined;
  const [line, method, url] = found as unknown as [string, string, string];
  const headers: IncomingMessage["headers"] = {};
  for (const field of (text.slice(line.length).split(/\r?\n\r?\n/)[0] as string).split(/\r?\n/)) {
    const [, name, value] = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/.exec(field) ?? [];
    if (name !== undefined && value !== undefined) headers[name.toLowerCase()] ??= value;
  }
  return { method, url, headers };
}

function respondOn(socket: Duplex, respond: Respond, { method, url, headers }: Head): void {
  const request = new IncomingMessage(socket as never);
  Object.assign(request, { method, url, headers, complete: true });
  // Methods that aren't allowed have no use for a body.
  request.push(null);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as never);
  response.once("finish", () => socket.end());
  respond(request, response);
}

function end(socket: Duplex, status: number): void {
  const reason = `${status} ${STATUS_CODES[status]}`;
  socket.end(
    `HTTP/1.1 ${reason}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${reason}`,
    () => socket.destroy(),
  );
}
