import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import { pipeTo } from "../model/pipe.ts";
import type { Answer, AnswerStream, StreamChunk } from "../model/request.ts";

/** The largest body in bytes that kube-apiserver never compresses. */
const largestPlainBody = 128 * 1024;
/** Chunks of a stream up to this size in bytes are compressed at once, which takes less time than to wait for a thread. */
const largestQuickChunk = 32 * 1024;
/** kube-apiserver's level: the others take more time, and save little. */
const options = { level: 1 };
const compress = promisify(gzip);

/** Reports whether a client reads compressed answers. Like kube-apiserver, this ignores parameters, such as `gzip;q=1`. */
export function acceptsGzip({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return String(headers["accept-encoding"] ?? "")
    .split(",")
    .some((token) => token.trim() === "gzip");
}

/**
 * Compresses an answer that may be compressed: each chunk of a stream by itself, so that it reaches the client at once and idle
 * streams need no memory, or a body that is large enough.
 *
 * @param answer - the answer to a client that accepts compression
 * @returns the answer to send
 */
export async function compressed(answer: Answer): Promise<Answer> {
  const { stream, body = "", compressible } = answer;
  if (compressible !== true) return answer;
  if (stream !== undefined) return { ...answer, headers: gzipHeaders(answer), stream: compressedStream(stream) };
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (length <= largestPlainBody) return answer;
  return { ...answer, headers: gzipHeaders(answer), body: await compress(body, options) };
}

function gzipHeaders({ headers }: Answer): Answer["headers"] {
  const vary = [headers.vary ?? []].flat();
  const isNamed = vary.some((value) => value.includes("Accept-Encoding"));
  return { ...headers, "content-encoding": "gzip", vary: isNamed ? vary : [...vary, "Accept-Encoding"] };
}

function compressedStream(stream: AnswerStream): AnswerStream {
  async function* chunks(): AsyncGenerator<StreamChunk> {
    for await (const chunk of stream) {
      yield chunk.length <= largestQuickChunk ? gzipSync(chunk, options) : await compress(chunk, options);
    }
  }
  return { [Symbol.asyncIterator]: chunks, pipe: (sink) => pipeTo(chunks(), sink) };
}
