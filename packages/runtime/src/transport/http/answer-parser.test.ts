import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { AnswerParser } from "./answer-parser.ts";

interface Seen {
  status?: number;
  statusText?: string;
  headers?: IncomingHttpHeaders;
  body: string;
  reusable?: boolean;
}

/** Parses a response in chunks of `size` bytes, and closes the connection if `closes` is set. */
function parse(text: string, size = text.length, closes = false): Seen & { closed?: boolean } {
  const seen: Seen & { closed?: boolean } = { body: "" };
  const parser = new AnswerParser({
    onHead: (status, statusText, headers) => Object.assign(seen, { status, statusText, headers }),
    onData: (chunk) => {
      seen.body += chunk.toString("latin1");
    },
    onEnd: (reusable) => {
      seen.reusable = reusable;
    },
  });
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  if (closes) seen.closed = parser.close();
  return seen;
}

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

describe("AnswerParser", () => {
  it("returns the same response wherever the bytes are split", () => {
    const answers = [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nWarning: a\r\nwarning: b\r\n\r\nhello",
      `${chunked}5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nTrailer: x\r\n\r\n`,
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
    ];
    for (const text of answers) {
      const whole = parse(text);
      expect(whole.reusable).toBe(true);
      for (let size = 1; size < text.length; size++) expect(parse(text, size)).toEqual(whole);
    }
    expect(parse(answers[0]!)).toMatchObject({ status: 200, statusText: "OK", body: "hello" });
    expect(parse(answers[0]!).headers).toEqual({ "content-length": "5", warning: "a, b" });
    expect(parse(answers[1]!)).toMatchObject({ status: 200, body: "hello world" });
    expect(parse(answers[2]!)).toMatchObject({ status: 404, statusText: "", body: "" });
  });

  it("reads no body with 204 and 304, whatever the headers contain", () => {
    expect(parse("HTTP/1.1 204 No Content\r\n\r\n")).toMatchObject({ reusable: true, body: "" });
    expect(parse("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n")).toMatchObject({ reusable: true, body: "" });
  });

  it("reads a body without a length until the connection is closed", () => {
    expect(parse("HTTP/1.1 200 OK\r\n\r\nall of it", 4, true)).toMatchObject({
      body: "all of it",
      reusable: false,
      closed: true,
    });
  });

  it("reports an incomplete response if the connection is closed too early", () => {
    for (const text of [
      "HTTP/1.1 200 OK\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
      `${chunked}5\r\nhello\r\n`,
    ]) {
      const seen = parse(text, text.length, true);
      expect(seen.closed).toBe(false);
      expect(seen.reusable).toBeUndefined();
    }
  });

  it.each([
    ["HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false],
    ["HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n", false],
    ["HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false],
    ["HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", true],
  ])("determines from %j whether the connection can be reused: %s", (text, reusable) => {
    expect(parse(text).reusable).toBe(reusable);
  });
});

describe("AnswerParser with an invalid response", () => {
  it.each([
    ["another protocol", "SSH-2.0-OpenSSH\r\n", /isn't HTTP/],
    ["HTTP/2", "HTTP/2 200\r\n\r\n", /isn't HTTP/],
    ["a status that isn't a number", "HTTP/1.1 2x0 OK\r\n\r\n", /status line/],
    ["switched protocols", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", /switched/],
    ["a header without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", /isn't a header/],
    ["a header of two lines", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", /isn't a header/],
    ["a space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n", /isn't a header/],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", /a number/],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", /a number/],
    [
      "a length with chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      /chunks, too/,
    ],
    ["an encoding that wasn't requested", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", /unknown/],
    ["a chunk without a size", `${chunked}\r\n`, /size of a chunk/],
    ["a chunk that is longer than its size", `${chunked}2\r\nhello\r\n`, /longer than its size|no proper end/],
    ["a bare line feed between chunks", `${chunked}5\nhello`, /no proper end/],
    ["bytes after the end", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", /after the end/],
    ["a head without an end", `HTTP/1.1 200 OK\r\nA: ${"b".repeat(70_000)}`, /too long/],
    ["an endless size of a chunk", `${chunked}${"1".repeat(5000)}`, /too long/],
  ])("rejects %s", (_what, text, message) => {
    for (const size of [text.length, 1]) {
      expect(() => parse(text, size)).toThrow(expect.objectContaining({ code: "EBADANSWER" }));
      expect(() => parse(text, size)).toThrow(message);
    }
  });
});
