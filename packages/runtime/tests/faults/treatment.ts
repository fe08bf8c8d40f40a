import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A proxy's treatment of one request. Without any field, the request is forwarded. */
export interface Treatment {
  /** Delay in milliseconds before the request is forwarded. */
  delay?: number;
  /** Breaks the connection instead of forwarding the request. */
  refused?: boolean;
  /** Accepts the request and never responds. */
  silent?: boolean;
  /** Responds instead of the server. */
  answer?: { status: number; headers?: Record<string, string>; body?: string };
  /** Ends the response after the given number of bytes of its body. */
  cut?: { after: number; how: Cut };
  /** Replaces each line of the response by any number of lines, possibly with a delay. */
  line?: (line: string) => readonly string[] | Promise<readonly string[]>;
}

/** How a response ends: with a reset, with a FIN in the middle, or as if it were complete. */
export type Cut = "reset" | "half-close" | "end";

/** A request, as recorded by a proxy. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  path: string;
  isWatch: boolean;
  authorization: string | undefined;
  /** Time in milliseconds of the monotonic clock. */
  at: number;
  /** Status of the response, or `undefined` before there is one. */
  status?: number;
}

/** Returns the treatment of a request. `undefined` forwards it. */
export type Fault = (request: SeenRequest) => Treatment | undefined;

/** Ends a response like a fault. */
export function cutOff(response: ServerResponse, how: Cut): void {
  if (how === "end") response.end();
  else if (how === "half-close") response.socket?.end();
  else response.socket?.resetAndDestroy();
}

/** Forwards the body of a response, with the treatment applied. */
export async function passBody(answer: IncomingMessage, response: ServerResponse, treatment: Treatment): Promise<void> {
  const { line, cut } = treatment;
  const pieces = line ? treatedLines(answer, line) : (answer as AsyncIterable<Buffer>);
  let left = cut?.after ?? Number.POSITIVE_INFINITY;
  for await (const piece of pieces) {
    if (cut && piece.length >= left) {
      response.write(piece.subarray(0, left), () => cutOff(response, cut.how));
      return;
    }
    left -= piece.length;
    if (!response.write(piece)) await drainedOrClosed(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Leaves no listener behind: a response can be full many times. */
async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const waiting = new AbortController();
  await Promise.race(["drain", "close"].map((event) => once(response, event, { signal: waiting.signal })));
  waiting.abort();
}

async function* treatedLines(
  answer: AsyncIterable<Buffer>,
  treat: NonNullable<Treatment["line"]>,
): AsyncGenerator<Buffer, void, undefined> {
  let rest = "";
  for await (const chunk of answer) {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) for (const treated of await treat(line)) yield Buffer.from(`${treated}\n`);
  }
  if (rest !== "") for (const treated of await treat(rest)) yield Buffer.from(treated);
}
