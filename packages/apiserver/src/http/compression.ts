import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { Answer, StreamChunk, StreamSink } from "../model/request.ts";

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
 * Compresses the body of an answer if it's large enough.
 *
 * @param answer - the answer to a client that accepts compression
 * @returns the answer to send
 */
export async function compressed(answer: Answer): Promise<Answer> {
  const { body = "" } = answer;
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (answer.compressible !== true || length <= largestPlainBody) return answer;
  return { ...answer, headers: gzipHeaders(answer), body: await compress(body, options) };
}

/** Returns the headers of an answer that is compressed. */
export function gzipHeaders({ headers }: Answer): Answer["headers"] {
  const vary = [headers.vary ?? []].flat();
  const isNamed = vary.some((value) => value.includes("Accept-Encoding"));
  return { ...headers, "content-encoding": "gzip", vary: isNamed ? vary : [...vary, "Accept-Encoding"] };
}

/**
 * Compresses each chunk of a stream by itself, so that it reaches the client at once and idle streams need no memory.
 *
 * @param sink - takes the compressed chunks
 * @returns a sink that takes a chunk at a time
 */
export function compressingSink(sink: StreamSink): StreamSink {
  let onDrain = (): void => {};
  let isCompressing = false;
  let isEnded = false;
  const send = async (chunk: StreamChunk): Promise<void> => {
    isCompressing = true;
    const bytes = await compress(chunk, options);
    isCompressing = false;
    if (isEnded) return;
    if (sink.write(bytes)) onDrain();
    else sink.onDrain(onDrain);
  };
  return {
    write(chunk) {
      if (chunk.length <= largestQuickChunk) return sink.write(gzipSync(chunk, options));
      send(chunk).catch(() => sink.end());
      return false;
    },
    onDrain(resume) {
      if (isCompressing) onDrain = resume;
      else sink.onDrain(resume);
    },
    end() {
      isEnded = true;
      sink.end();
    },
  };
}
