import type { Answer, ApiRequest } from "../model/request.ts";

/** A document, which clients may cache. */
export interface Content {
  body: string | Uint8Array;
  /** The media type. */
  type: string;
  /** The hash of the document in quotes, if clients can compare it. */
  etag?: string;
  /** When the document was made, in milliseconds since the epoch. */
  modified: number;
}

/**
 * Answers with a document, or a part of it, unless the client has it already: as Go's servers do with files.
 * Requests for several ranges are answered with the whole document.
 *
 * @param request - the request
 * @param content - the document
 * @param headers - further header fields
 * @returns the answer
 */
export function serveContent(request: ApiRequest, content: Content, headers: Answer["headers"] = {}): Answer {
  const { body, type, etag, modified } = content;
  const date = new Date(modified).toUTCString();
  const cached = { ...headers, ...(etag === undefined ? {} : { etag }) };
  const full = { "content-type": type, "last-modified": date, ...cached };
  // Dates have no fractions of seconds.
  const second = Math.floor(modified / 1000) * 1000;
  const condition = checkConditions(request, etag, second);
  if (condition === "failed") return { status: 412, headers: full };
  if (condition === "same") {
    return { status: 304, headers: etag === undefined ? { ...cached, "last-modified": date } : cached };
  }
  const whole: Answer = { status: 200, headers: { "accept-ranges": "bytes", ...full }, body };
  const range = fieldOf(request, "range");
  const ifRange = fieldOf(request, "if-range");
  if (range === undefined || (ifRange !== undefined && ifRange !== etag && ifRange !== date)) return whole;
  return partOf(whole, range, headers);
}

function fieldOf({ headers }: ApiRequest, name: string): string | undefined {
  return headers[name]?.toString() || undefined;
}

/** Checks the conditions of a request in the order of RFC 9110, section 13.2.2. */
function checkConditions(request: ApiRequest, etag: string | undefined, modified: number): "failed" | "same" | "met" {
  const field = (name: string): string | undefined => fieldOf(request, name);
  const dateOf = (name: string): number => Date.parse(field(name) ?? "");
  const isListed = (tags: string, isWeak: boolean): boolean =>
    tags.split(",").some((part) => {
      const tag = part.trim();
      return tag === "*" || (etag !== undefined && (isWeak ? tag.replace(/^W\//, "") : tag) === etag);
    });
  const match = field("if-match");
  if (match !== undefined ? !isListed(match, false) : dateOf("if-unmodified-since") < modified) return "failed";
  const noneMatch = field("if-none-match");
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (noneMatch !== undefined) return !isListed(noneMatch, true) ? "met" : isRead ? "same" : "failed";
  return isRead && dateOf("if-modified-since") >= modified ? "same" : "met";
}

function partOf(whole: Answer, range: string, headers: Answer["headers"]): Answer {
  const bytes = Buffer.from(whole.body as string);
  const { length } = bytes;
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(range) ?? [];
  const isSeveral = /^bytes=.*,/.test(range);
  if (isSeveral) return whole;
  const plain = { ...headers, "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  if (first === undefined || last === undefined || (first === "" && last === "")) {
    return { status: 416, headers: plain, body: "invalid range\n" };
  }
  const start = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1);
  if (start >= length) {
    const body = "invalid range: failed to overlap\n";
    return { status: 416, headers: { ...plain, "content-range": `bytes */${length}` }, body };
  }
  if (end < start) return { status: 416, headers: plain, body: "invalid range\n" };
  return {
    status: 206,
    headers: { ...whole.headers, "content-range": `bytes ${start}-${end}/${length}` },
    body: bytes.subarray(start, end + 1),
  };
}
