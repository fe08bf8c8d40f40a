import type { WireRequest } from "./wire-request.ts";

// A line break would start another header or another request.
const forbiddenInValues = /[^\t\x20-\x7e\x80-\xff]/;
const forbiddenInPaths = /[^\x21-\x7e]/;

/** The head and body of a request as one string, to be written at once. */
export interface RequestText {
  text: string;
  encoding: "latin1" | "utf8";
}

/**
 * Serializes the head and body of a request.
 *
 * @throws `TypeError` if the path or a header contains an invalid character
 */
export function requestText(request: WireRequest, host: string): RequestText {
  const { method, path, headers, body } = request;
  if (forbiddenInPaths.test(path)) throw new TypeError(`the path ${JSON.stringify(path)} isn't escaped`);
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const values = headers[name]!;
    if (typeof values === "string") head += field(name, values);
    else for (const value of values) head += field(name, value);
  }
  if (body === undefined) {
    if (method !== "GET") head += "content-length: 0\r\n";
    return { text: `${head}\r\n`, encoding: "latin1" };
  }
  const length = Buffer.byteLength(body);
  const text = `${head}content-length: ${length}\r\n\r\n${body}`;
  if (length === body.length) return { text, encoding: "latin1" };
  // UTF-8 would change the bytes of such headers.
  if (/[\x80-\xff]/.test(head))
    throw new TypeError("a header with non-ASCII characters can't be sent with such a body");
  return { text, encoding: "utf8" };
}

function field(name: string, value: string): string {
  if (forbiddenInValues.test(value)) throw new TypeError(`the header ${name} contains an invalid character`);
  return `${name}: ${value}\r\n`;
}
