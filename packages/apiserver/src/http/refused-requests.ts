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
const requestLine = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/(\d)\.(\d)\r?\n/;

/** The errors of Node's parser for requests that Go's servers answer. */
const stricter: ReadonlySet<string | undefined> = new Set([
  ...["HPE_INVALID_METHOD", "HPE_INVALID_VERSION", "HPE_INVALID_URL"],
]);

/**
 * Answers a request that Node's HTTP parser refuses, and closes the connection.
 * Methods, versions and characters in URLs that only the parser refuses are answered like all others.
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
  const head = stricter.has(error.code) ? readHead(error.rawPacket) : undefined;
  const problem = head && headProblem(head);
  if (problem !== undefined) end(socket, problem);
  else if (head !== undefined) respondOn(socket, respond, head);
  else if (error.code === "HPE_HEADER_OVERFLOW") end(socket, { status: 431 });
  else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") end(socket, { status: 408 });
  else if (error.code === "HPE_INVALID_TRANSFER_ENCODING") {
    end(socket, { status: 501, body: "Unsupported transfer encoding" });
  } else end(socket, { status: 400 });
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

/**
 * Answers a request of HTTP/1 whose head only Node's parser accepts, and closes the connection.
 *
 * @param request - the request
 * @returns true if it is answered
 */
export function refuseHead(request: IncomingMessage): boolean {
  const problem = headProblem(request);
  if (problem !== undefined) end(request.socket, problem);
  return problem !== undefined;
}

type Head = Pick<
  IncomingMessage,
  "method" | "url" | "headers" | "rawHeaders" | "httpVersionMajor" | "httpVersionMinor"
>;

/** An answer to a request that isn't valid HTTP. */
interface Refusal {
  status: number;
  /** Follows the text of the status. */
  detail?: string;
  /** The body; by default, the status and its text. */
  body?: string;
}

/** The bytes that Go's servers accept in the field Host. */
const validHost = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

function headProblem(head: Head): Refusal | undefined {
  const { method, url = "", httpVersionMajor, httpVersionMinor } = head;
  if (httpVersionMajor !== 1) return { status: 505, detail: "unsupported protocol version" };
  const hosts = head.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts > 1) return { status: 400 };
  if (hosts === 0 && httpVersionMinor > 0 && method !== "CONNECT")
    return { status: 400, detail: "missing required Host header" };
  if (!validHost.test(head.headers.host ?? "")) return { status: 400, detail: "malformed Host header" };
  const path = url.split("?")[0] as string;
  const isUrl = method === "CONNECT" || /^(?:\/|\*$|[a-z][a-z\d+.-]*:)/i.test(path);
  return !isUrl || /%(?![\da-f]{2})/i.test(path) ? { status: 400 } : undefined;
}

/** Reads the head of a request: as much as has arrived with its first line. */
function readHead(packet: Buffer | undefined): Head | undefined {
  const text = packet?.toString("latin1") ?? "";
  const match = requestLine.exec(text);
  if (match === null) return undefined;
  const [line, method, url, major, minor] = match as unknown as [string, string, string, string, string];
  const headers: IncomingMessage["headers"] = {};
  const rawHeaders: string[] = [];
  for (const field of (text.slice(line.length).split(/\r?\n\r?\n/)[0] as string).split(/\r?\n/)) {
    const [, name, padded] = /^([^:\s]+):(.*)$/.exec(field) ?? [];
    if (name === undefined || padded === undefined) continue;
    const value = padded.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
    rawHeaders.push(name, value);
    headers[name.toLowerCase()] ??= value;
  }
  return {
    method,
    url: url.replace(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`),
    headers,
    rawHeaders,
    httpVersionMajor: Number(major),
    httpVersionMinor: Number(minor),
  };
}

/**
 * Answers a request whose connection the parser has given away, and closes the connection.
 *
 * @param socket - the connection
 * @param respond - answers the request
 * @param head - its head
 */
export function respondOn(socket: Duplex, respond: Respond, head: Head): void {
  const { method, url, headers, rawHeaders, httpVersionMajor, httpVersionMinor } = head;
  const request = new IncomingMessage(socket as never);
  Object.assign(request, { method, url, headers, rawHeaders, httpVersionMajor, httpVersionMinor, complete: true });
  // Methods that aren't allowed have no use for a body.
  request.push(null);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as never);
  response.once("finish", () => socket.end());
  respond(request, response);
}

function end(socket: Duplex, { status, detail, body }: Refusal): void {
  const reason = `${status} ${STATUS_CODES[status]}${detail === undefined ? "" : `: ${detail}`}`;
  socket.end(
    `HTTP/1.1 ${reason}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body ?? reason}`,
    () => socket.destroy(),
  );
}
