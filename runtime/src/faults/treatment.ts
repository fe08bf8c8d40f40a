import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What a proxy does to one request; it passes on what no field speaks of. */
export interface Treatment {
  /** Milliseconds before the request is passed on. */
  delay?: number;
  /** Breaks the connection instead of passing the request on. */
  refused?: boolean;
  /** Takes the request and never answers. */
  silent?: boolean;
  /** Answers in the server's place. */
  answer?: { status: number; headers?: Record<string, string>; body?: string };
  /** Breaks the answer off after so many bytes of its body. */
  cut?: { after: number; how: Cut };
  /** What becomes of each line of the answer: nothing, itself, twice, something else; may take its time. */
  line?: (line: string) => readonly string[] | Promise<readonly string[]>;
}

/** How an answer ends: as after a crash, with a FIN amidst it, or pretending to be whole. */
export type Cut = "reset" | "half-close" | "end";

/** One request as a proxy saw it. */
export interface SeenRequest {
  method: string;
  /** With its query. */
  path: string;
  isWatch: boolean;
  authorization: string | undefined;
  /** Milliseconds of the monotonic clock. */
  at: number;
  /** What the client was answered; `undefined` as long as it wasn't. */
  status?: number;
}

/** Decides about one request; `undefined` passes it on. */
export type Fault = (request: SeenRequest) => Treatment | undefined;

/** Ends an answer as a fault would. */
export function cutOff(response: ServerResponse, how: Cut): void {
  if (how === "end") response.end();
  else if (how === "half-close") response.socket?.end();
  else response.socket?.resetAndDestroy();
}

/** Passes the body of an answer on, with what the treatment does to it. */
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
    if (!response.write(piece)) await Promise.race([once(response, "drain"), once(response, "close")]);
    if (response.destroyed) return;
  }
  response.end();
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
